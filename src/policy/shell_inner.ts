/**
 * Commands that run other commands: what `sudo`, `env`, `sh -c`, `find -exec` and their like would start. For rules that
 * refuse: seeing one command too many is a question, seeing one too few is a hole.
 */
import {
  GIT_VALUES,
  type Option,
  optionValues,
  SCRIPT_OPTIONS,
  SHELLS,
  type Wrapper,
  WRAPPERS,
} from "./shell_programs.ts";
import { baseName, knownWord, shownWord, unknownWord, type Word } from "./shell_word.ts";

/** What a command would run besides itself. */
export type Inner =
  | { kind: "words"; words: readonly Word[] }
  | { kind: "script"; text: string; known: boolean }
  | { kind: "opaque"; why: string };

/** What a command reads: nothing that the line says, another command's output, or a text in the line. */
export type Stdin = { kind: "none" | "piped" } | { kind: "text"; word: Word };

/** What a command, given as its words, would run besides itself. */
export function innerOf(words: readonly Word[], stdin: Stdin): readonly Inner[] {
  const [program, ...args] = words;
  if (program === undefined || !program.known) return [];
  const name = baseName(program.text);
  const own = byProgram(name, args, stdin);
  const wrapper = WRAPPERS.get(name);
  const wrapped = wrapper === undefined ? [] : unwrapped(args, wrapper);
  const options = SCRIPT_OPTIONS.get(name) ?? [];
  const scripts = options.flatMap((option) =>
    optionValues(args, option).map((value) => asScript(value, option))
  );
  return [...own, ...wrapped, ...scripts];
}

function byProgram(name: string, args: readonly Word[], stdin: Stdin): readonly Inner[] {
  if (SHELLS.has(name)) return shellInner(name, args, stdin);
  switch (name) {
    case "eval":
      return [joinedScript(args)];
    case "trap":
      return args.filter((arg) => !arg.text.startsWith("-")).slice(0, 1).map((arg) =>
        asScript(arg)
      );
    case "alias":
      return args.map((arg) => asScript(afterEquals(arg)));
    case "source":
    case ".":
      return args.slice(0, 1).filter(isStandardInput).map(() => opaqueShell(name));
    case "find":
      return untilEnds(args, ["-exec", "-execdir", "-ok", "-okdir"]);
    case "fd":
    case "fdfind":
      return untilEnds(args, ["-x", "-X", "--exec", "--exec-batch"]);
    case "git":
      return gitInner(args);
    case "ssh":
    case "watch":
      return [
        joinedScript(afterOptions(args, WRAPPERS.get(name)?.values ?? "", name === "ssh" ? 1 : 0)),
      ];
    default:
      return [];
  }
}

/** `sh -c TEXT`, a shell that reads its commands, or a script file, of which nothing can be known. */
function shellInner(name: string, args: readonly Word[], stdin: Stdin): readonly Inner[] {
  let isText = false;
  let at = 0;
  for (; at < args.length; at += 1) {
    const option = args[at]?.text ?? "";
    if (option === "--" || !/^[-+]./.test(option)) break;
    if (option.startsWith("--")) {
      if (/^--(rcfile|init-file)$/.test(option)) at += 1;
      if (option === "--command") isText = true; // fish
      continue;
    }
    if (/^-[a-z]*c/i.test(option)) isText = true;
    if (/^[-+][a-z]*o$/i.test(option)) at += 1;
  }
  if (args[at]?.text === "--") at += 1;
  const first = args[at];
  if (isText) return first === undefined ? [] : [asScript(first)];
  if (first !== undefined && first.known && !isStandardInput(first)) return [];
  if (stdin.kind === "text") return [asScript(stdin.word)];
  return [opaqueShell(name)];
}

function opaqueShell(name: string): Inner {
  return { kind: "opaque", why: `${name} runs commands that the line does not show` };
}

function isStandardInput(word: Word): boolean {
  return !word.known || /^(-|\/dev\/(stdin|fd\/.*)|\/proc\/.*)$/.test(word.text);
}

/** The command behind a wrapper's own options and arguments. */
function unwrapped(args: readonly Word[], wrapper: Wrapper): readonly Inner[] {
  const found: Inner[] = [];
  let at = 0;
  let positionals = wrapper.skip ?? 0;
  const add = (from: number): void => {
    const words = args.slice(from);
    if (words.length === 0) return;
    const tail = wrapper.appends ? [unknownWord("…")] : [];
    found.push({ kind: "words", words: [...words, ...tail] });
  };
  for (; at < args.length; at += 1) {
    const { text = "", known = true } = args[at] ?? {};
    const isOption = text.startsWith("-") && text.length > 1;
    if (isOption && text !== "--") {
      const isAttached = takesValue(text.slice(0, 2), wrapper.values);
      if (takesValue(text, wrapper.values)) at += 1;
      else if (!text.includes("=") && !isAttached) add(at + 2); // An option that we do not know may take a value.
      continue;
    }
    if (text === "--") continue;
    if (wrapper.assigns && known && /^[A-Za-z_]\w*=/.test(text)) continue;
    if (positionals === 0) break;
    positionals -= 1;
  }
  add(at);
  return found;
}

function takesValue(option: string, values: string): boolean {
  return values.split(" ").includes(option);
}

/** The arguments behind options and a number of positional ones. */
function afterOptions(args: readonly Word[], values: string, skip: number): readonly Word[] {
  let at = 0;
  while (at < args.length && (args[at]?.text ?? "").startsWith("-")) {
    at += takesValue(args[at]?.text ?? "", values) ? 2 : 1;
  }
  return args.slice(at + skip);
}

/** `find … -exec COMMAND ;` and its like, any number of times. */
function untilEnds(args: readonly Word[], starts: readonly string[]): readonly Inner[] {
  const found: Inner[] = [];
  for (let at = 0; at < args.length; at += 1) {
    if (!starts.includes(args[at]?.text ?? "")) continue;
    const rest = args.slice(at + 1);
    const length = rest.findIndex(({ text }) => text === ";" || text === "+");
    const words = length < 0 ? rest : rest.slice(0, length);
    if (words.length > 0) found.push({ kind: "words", words });
  }
  return found;
}

/** git without its leading options, its aliases given on the line, and the sub-commands that run others. */
function gitInner(args: readonly Word[]): readonly Inner[] {
  const found: Inner[] = [];
  const rest = afterOptions(args, GIT_VALUES, 0);
  if (rest.length < args.length && rest.length > 0) {
    found.push({ kind: "words", words: [knownWord("git"), ...rest] });
  }
  for (const [at, { text }] of args.entries()) {
    const value = text === "-c" ? args[at + 1] : undefined;
    const setting = value === undefined ? undefined : afterEquals(value);
    if (setting !== undefined) found.push(asScript(withoutBang(setting)));
  }
  const [command, second, ...more] = rest.map((word) => word.text);
  if (command === "bisect" && second === "run") found.push({ kind: "words", words: rest.slice(2) });
  if (command === "submodule" && second === "foreach" && more.length > 0) {
    found.push(joinedScript(rest.slice(2).filter(({ text }) => !text.startsWith("-"))));
  }
  return found;
}

function withoutBang(word: Word): Word {
  return word.text.startsWith("!") ? { ...word, text: word.text.slice(1) } : word;
}

function afterEquals(word: Word): Word {
  const at = word.text.indexOf("=");
  return at < 0 ? knownWord("") : { ...word, text: word.text.slice(at + 1) };
}

function joinedScript(words: readonly Word[]): Inner {
  return {
    kind: "script",
    text: words.map(shownWord).join(" "),
    known: words.every(({ known }) => known),
  };
}

function asScript(word: Word, option?: Option): Inner {
  const text = shownWord(word).replace(option?.strip ?? "", "");
  return { kind: "script", text, known: word.known };
}
