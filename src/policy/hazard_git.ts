/** What git can be made to run or write by its arguments. */
import { optionHazards } from "./hazard_options.ts";
import type { OptionHazards } from "./hazard_programs.ts";
import { GIT_VALUES } from "./shell_programs.ts";
import type { Word } from "./shell_word.ts";

/** Options before the sub-command that change nothing about what runs. */
const HARMLESS_FIRST = new Set(
  "--no-pager -P --version --help -h -v --no-optional-locks --literal-pathspecs --no-replace-objects --icase-pathspecs"
    .split(" "),
);

const FIRST_VALUES = new Set(GIT_VALUES.split(" "));

/** Sub-commands that run what they are given, or change what later ones run. */
const COMMANDS = new Set(
  "config alias bisect submodule filter-branch difftool mergetool send-email instaweb web--browse gui citool gitk daemon shell upload-pack receive-pack upload-archive hook fast-import credential maintenance help var svn p4 cvsserver remote-ext remote-fd"
    .split(" "),
);

const EVERYWHERE: OptionHazards = {
  long:
    "--upload-pack --receive-pack --exec --output --output-directory --open-files-in-pager --ext-diff --extcmd --tool --template --config --gpg-sign --signing-key --paginate --no-index --separate-git-dir --git-dir --work-tree --interactive --edit --file --contents --trailer",
  // An address like ext::COMMAND or "ssh://-oProxyCommand=…" runs a program.
  words: [/::/, /^(ssh|git|https?):\/\/-/, /^-[^-].*ProxyCommand/i],
};

/** Short options that run or write, by sub-command. */
const SHORT: ReadonlyMap<string, string> = new Map(Object.entries({
  archive: "o",
  clone: "uc",
  commit: "SFteC",
  "format-patch": "o",
  grep: "Of",
  "ls-remote": "u",
  "fetch-pack": "u",
  merge: "SXsF",
  rebase: "xisSX",
  revert: "eS",
  "cherry-pick": "eSX",
  tag: "suF",
  am: "S",
}));

/** Indices of the arguments of git that a wildcard must not cover. */
export function gitHazards(args: readonly Word[]): readonly number[] {
  const found: number[] = [];
  let at = 0;
  for (; at < args.length; at += 1) {
    const text = args[at]?.text ?? "";
    if (!text.startsWith("-")) break;
    if (HARMLESS_FIRST.has(text)) continue;
    found.push(at);
    if (FIRST_VALUES.has(text)) found.push(at += 1);
  }
  const command = args[at]?.text;
  if (command === undefined) return found.filter((index) => index < args.length);
  if (COMMANDS.has(command)) found.push(at);
  const first = at + 1;
  const short = SHORT.get(command);
  const table = short === undefined ? EVERYWHERE : { ...EVERYWHERE, short };
  return [...found, ...optionHazards(args.slice(first), table).map((index) => index + first)];
}
