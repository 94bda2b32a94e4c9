/** Programs that start other programs: which of their words are their own, and which the command. */
import type { Word } from "./shell_word.ts";

/** Shells: their `-c` text, or what they read, is a script. */
export const SHELLS: ReadonlySet<string> = new Set(
  "sh bash dash ash zsh ksh mksh rbash fish csh tcsh".split(" "),
);

/** Options of git before its sub-command that take the next word as their value. */
export const GIT_VALUES = "-c -C --git-dir --work-tree --namespace --exec-path --config-env";

/** How a wrapper finds its command. */
export type Wrapper = {
  /** Options that take the next word as their value, with a blank between. */
  values: string;
  /** Arguments of its own before the command. */
  skip?: number;
  /** Whether NAME=VALUE may stand before the command. */
  assigns?: boolean;
  /** Whether it appends arguments that the line does not show. */
  appends?: boolean;
};

/** Programs and builtins that run the command given as their arguments. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map(Object.entries<Wrapper>({
  arch: { values: "-arch -e -d" },
  builtin: { values: "" },
  busybox: { values: "" },
  caffeinate: { values: "-t -w" },
  chroot: { values: "--userspec --groups", skip: 1 },
  chrt: { values: "-T -P -D", skip: 1 },
  command: { values: "" },
  doas: { values: "-u -C" },
  eatmydata: { values: "" },
  env: { values: "-u --unset -C --chdir -a --argv0", assigns: true },
  exec: { values: "-a" },
  fakeroot: { values: "-l -s -i -b" },
  faketime: { values: "", skip: 1 },
  firejail: { values: "" },
  flock: { values: "-w --wait --timeout -E", skip: 1 },
  gdb: { values: "-ex -x -p" },
  ionice: { values: "-c -n -p -P -u --class --classdata" },
  ltrace: { values: "-e -o -p -u -s -n" },
  nice: { values: "-n --adjustment" },
  nohup: { values: "" },
  nsenter: { values: "-t --target -S -G" },
  numactl: { values: "-m -N -C -p" },
  parallel: { values: "-j -a -I -N -n -L --jobs --arg-file", appends: true },
  perf: { values: "", skip: 1 },
  pkexec: { values: "--user" },
  prlimit: { values: "-p --pid" },
  proxychains: { values: "-f" },
  proxychains4: { values: "-f" },
  rlwrap: { values: "-f -H -p" },
  runuser: { values: "-u -g -G --user --group" },
  setarch: { values: "", skip: 1 },
  setpriv: { values: "--reuid --regid --groups" },
  setsid: { values: "" },
  stdbuf: { values: "-i -o -e --input --output --error" },
  strace: { values: "-e -o -p -s -u -P -a -E -S -O -b" },
  sudo: {
    values:
      "-u --user -g --group -h --host -p --prompt -C -T -R -D --chroot --chdir -r --role -t --type -U",
    assigns: true,
  },
  "systemd-run": { values: "-p --property -u --unit -E --setenv -M -H" },
  taskset: { values: "", skip: 1 },
  time: { values: "-f --format -o --output" },
  timeout: { values: "-k --kill-after -s --signal", skip: 1 },
  toybox: { values: "" },
  unbuffer: { values: "" },
  unshare: { values: "-S -G -R -w --setuid --setgid --root --wd" },
  valgrind: { values: "" },
  watch: { values: "-n --interval" },
  xargs: {
    values:
      "-I -i -n -P -L -l -d -a -E -e -s --replace --max-args --max-procs --max-lines --delimiter --arg-file --eof --max-chars",
    appends: true,
  },
  "xvfb-run": { values: "-e -f -n -p -s" },
  ssh: {
    values: "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B",
    skip: 1,
  },
}));

/** An option whose value is a command line; `strip` is what stands before it in the value. */
export type Option = { names: string; strip?: RegExp };

/** Programs whose options carry commands. */
export const SCRIPT_OPTIONS: ReadonlyMap<string, readonly Option[]> = new Map(
  Object.entries<readonly Option[]>({
    env: [{ names: "-S --split-string" }],
    flock: [{ names: "-c --command" }],
    git: [
      { names: "-x --exec --upload-pack --receive-pack --extcmd -O --open-files-in-pager" },
      { names: "--tree-filter --index-filter --msg-filter --commit-filter --env-filter" },
    ],
    man: [{ names: "-P --pager -H --html" }],
    rg: [{ names: "--pre --hostname-bin" }],
    rsync: [{ names: "-e --rsh --rsync-path" }],
    runuser: [{ names: "-c --command --session-command" }],
    script: [{ names: "-c --command" }],
    sg: [{ names: "-c" }],
    sort: [{ names: "--compress-program" }],
    ssh: [{ names: "-o", strip: /^\s*(ProxyCommand|LocalCommand|KnownHostsCommand)[\s=]+/i }],
    su: [{ names: "-c --command --session-command" }],
    tar: [
      { names: "--checkpoint-action", strip: /^exec=/ },
      { names: "--to-command -I --use-compress-program --rsh-command --info-script -F" },
    ],
  }),
);

/** The values that an option has in a list of arguments: the next word, or what stands after `=` or a short letter. */
export function optionValues(args: readonly Word[], option: Option): readonly Word[] {
  const names = option.names.split(" ");
  return args.flatMap((word, at) => {
    const next = args[at + 1];
    if (names.includes(word.text)) return next === undefined ? [] : [next];
    const name = names.find((candidate) =>
      word.text.startsWith(candidate.startsWith("--") ? `${candidate}=` : candidate)
    );
    if (name === undefined) return [];
    const text = word.text.slice(name.startsWith("--") ? name.length + 1 : name.length);
    return [{ ...word, text }];
  });
}
