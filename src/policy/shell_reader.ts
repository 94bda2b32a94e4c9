/** The walk over a parsed command line that `analyse` is made of. */
import {
  type Command,
  type CommandArgument,
  type CommandNode,
  type CompoundCommand,
  type CompoundList,
  forEachChild,
  parse,
  type ParsedScript,
  type PipelineNode,
  type Redirected,
  type Redirection as ParsedRedirection,
  type Statement,
  type SyntaxNode,
} from "unbash";
import type { CommandLine, Reached, Redirection, SimpleCommand, Unclear } from "./shell.ts";
import { innerOf, type Stdin } from "./shell_inner.ts";
import { fromParts, knownWord, readWord, unknownWord, type Word } from "./shell_word.ts";

const COMMANDS_MAX = 4_000;
/** Steps into the tree, about three a level of nesting. */
const DEPTH_MAX = 96;

/** Assigned before a command, these are commands themselves. */
const SCRIPT_VARIABLES = new Set(
  "PAGER GIT_PAGER MANPAGER GIT_SSH_COMMAND GIT_SSH GIT_EXTERNAL_DIFF GIT_EDITOR EDITOR VISUAL LESSOPEN PROMPT_COMMAND"
    .split(" "),
);

/** What stands in a line besides plain words, by the parser's name for it. */
const EXTRA_BY_NODE: ReadonlyMap<string, string> = new Map([
  ["CommandExpansion", "a command substitution"],
  ["ProcessSubstitution", "a process substitution"],
  ["ArithmeticExpansion", "an arithmetic expansion"],
  ["ArithmeticCommandExpansion", "a command substitution"],
  ["ParameterExpansion", "an expansion of the form ${…}"],
  // sh and bash read these differently.
  ["AnsiCQuoted", "quoting of the form $'…'"],
  ["LocaleString", 'quoting of the form $"…"'],
  ["BraceExpansion", "a brace expansion"],
  ["ExtendedGlob", "an extended pattern"],
  ["Assignment", "an assignment"],
  ["HereDoc", "a text fed to a command"],
  ["HereString", "a text fed to a command"],
  ["TestCommand", "a test [[ … ]]"],
  ["ArithmeticCommand", "an arithmetic command"],
  ["Function", "a function definition"],
  ["Coproc", "a coprocess"],
  ["Time", "the word time"],
  ["For", "a loop variable"],
  ["ArithmeticFor", "a loop variable"],
  ["Select", "a loop variable"],
]);

/** Reads one line and what is nested in it. */
export class ShellReader {
  readonly #commands: SimpleCommand[] = [];
  readonly #operators: string[] = [];
  readonly #extras = new Set<string>();
  readonly #reached: Reached[] = [];
  readonly #opaque = new Set<string>();
  /** Where the words and redirections of the line stand in it. */
  readonly #spans: { pos: number; end: number }[] = [];
  #isPlain = true;
  #unclear: Unclear | undefined;
  /** 0: the line itself. Deeper: substitutions, functions and texts for other shells. */
  #nesting = 0;
  /** Index of the command of the line that is being read. */
  #at = 0;
  #depth = 0;

  /** Read the line itself, `text` as it was parsed. */
  readLine(script: ParsedScript, text: string): void {
    this.#script(script);
    // The parser recovers from some stray brackets without a word (unbash 6.0.4: "echo (x"): look at what it left over.
    if (this.#isPlain && this.#extras.size === 0 && !isOnlyBetween(text, this.#spans)) {
      this.confuse("the shell grammar does not cover it (a stray character)");
    }
  }

  /** Note that something was not understood; the first reason stands, but for a limit of ours. */
  confuse(why: string, overCap = false): void {
    if (this.#unclear === undefined || (overCap && !this.#unclear.overCap)) {
      this.#unclear = { why, overCap };
    }
  }

  /** What was found. */
  result(): Omit<CommandLine, "text"> {
    return {
      commands: this.#commands,
      ...(this.#isPlain ? { operators: this.#operators } : {}),
      extras: [...this.#extras],
      reached: this.#reached,
      opaque: [...this.#opaque],
      ...(this.#unclear === undefined ? {} : { unclear: this.#unclear }),
    };
  }

  #script(script: ParsedScript): void {
    const [error] = script.errors ?? [];
    if (error !== undefined) {
      this.confuse(
        `the shell grammar does not cover it (${error.message})`,
        /depth exceeded/.test(error.message),
      );
    }
    this.#statements(script.commands);
  }

  #statements(statements: readonly Statement[]): void {
    statements.forEach((statement, index) => {
      if (index > 0) this.#join(";");
      if (statement.background === true) this.#extra("a command in the background (&)");
      this.#node(statement.command);
    });
  }

  #node(node: PipelineNode | Statement["command"] | CompoundList): void {
    this.#deeper(() => {
      switch (node.type) {
        case "AndOr":
          return node.commands.forEach((command, index) => {
            if (index > 0) this.#join(node.operators[index - 1] ?? "");
            this.#node(command);
          });
        case "Pipeline":
          for (const prefix of node.prefixes) this.#prefix(prefix.type);
          return node.commands.forEach((command, index) => {
            if (index > 0) this.#join(node.operators[index - 1] ?? "");
            this.#part(command, index > 0);
          });
        case "CompoundList":
          return this.#statements(node.commands);
        default:
          return this.#part(node, false);
      }
    });
  }

  #prefix(type: string): void {
    this.#isPlain = false;
    const extra = EXTRA_BY_NODE.get(type);
    if (extra !== undefined) this.#extra(extra);
  }

  #part(node: CommandNode, isPiped: boolean): void {
    switch (node.type) {
      case "Command":
        return this.#command(node, isPiped);
      case "Redirected":
        return this.#redirected(node);
      case "Function":
      case "Coproc":
        this.#extra(EXTRA_BY_NODE.get(node.type) ?? node.type);
        return this.#nested(() => this.#node(node.body));
      default:
        return this.#compound(node);
    }
  }

  #redirected(node: Redirected): void {
    for (const redirect of node.redirects) {
      this.#scan(redirect);
      if (readRedirection(redirect)?.effect !== "nothing") {
        this.#extra("a redirection of several commands");
      }
    }
    this.#compound(node.command);
  }

  #compound(node: CompoundCommand): void {
    this.#isPlain = false;
    switch (node.type) {
      case "Subshell":
      case "BraceGroup":
        return this.#node(node.body);
      case "If":
        for (const branch of [node, ...node.elif]) {
          this.#node(branch.clause);
          this.#node(branch.then);
        }
        return node.else === undefined ? undefined : this.#node(node.else);
      case "While":
        this.#node(node.clause);
        return this.#node(node.body);
      case "Case":
        this.#scan(node.word);
        return node.items.forEach((item) => {
          item.pattern.forEach((pattern) => this.#scan(pattern));
          this.#node(item.body);
        });
      case "For":
      case "Select":
        this.#extra("a loop variable");
        node.wordlist?.forEach((word) => this.#scan(word));
        return this.#node(node.body);
      case "ArithmeticFor":
        this.#extra("a loop variable");
        for (const part of [node.initialize, node.test, node.update]) {
          if (part !== undefined) this.#scan(part);
        }
        return this.#node(node.body);
      case "TestCommand":
      case "ArithmeticCommand":
        return this.#scan(node);
      default:
        node satisfies never;
        this.confuse("the line has a construct that is not known");
    }
  }

  #command(node: Command, isPiped: boolean): void {
    if (this.#nesting === 0) {
      this.#at = this.#commands.length;
      forEachChild(node, ({ pos, end }) => this.#spans.push({ pos, end }));
    }
    forEachChild(node, (child) => this.#scan(child));
    const name = node.name === undefined ? [] : [readWord(node.name)];
    const words = [...name, ...node.args.map(readArgument)];
    const redirections = node.redirects.flatMap((redirect) => readRedirection(redirect) ?? []);
    if (this.#nesting === 0) this.#commands.push({ words, redirections });
    for (const part of node.prefix) {
      if (part.type === "Assignment" && SCRIPT_VARIABLES.has(part.name)) {
        this.#text(readArgument(part).text.slice(part.name.length + 1));
      }
    }
    this.#reach(words, stdinOf(redirections, isPiped));
  }

  /** Note a command that would run, and everything that it would start. */
  #reach(words: readonly Word[], stdin: Stdin): void {
    if (words.length === 0) return;
    this.#deeper(() => {
      if (this.#reached.length >= COMMANDS_MAX) {
        return this.confuse(`it has more than ${COMMANDS_MAX} commands`, true);
      }
      this.#reached.push({ words, at: this.#at });
      for (const inner of innerOf(words, stdin)) {
        switch (inner.kind) {
          case "words":
            this.#reach(inner.words, stdin);
            break;
          case "script":
            if (!inner.known) this.#opaque.add("a command is put together while it runs");
            this.#text(inner.text);
            break;
          case "opaque":
            this.#opaque.add(inner.why);
            break;
          default:
            inner satisfies never;
        }
      }
    });
  }

  /** A text that another shell would run. */
  #text(text: string): void {
    this.#nested(() => this.#script(parse(text)));
  }

  /** Look for commands and other extras inside words, assignments and redirections. */
  #scan(node: SyntaxNode): void {
    if (node.type === "Script") return this.#nested(() => this.#script(node));
    const extra = EXTRA_BY_NODE.get(node.type);
    if (extra !== undefined) this.#extra(extra);
    if ("script" in node && node.script === undefined) {
      this.confuse("a substitution in it cannot be read");
    }
    this.#deeper(() => forEachChild(node, (child) => this.#scan(child)));
  }

  #join(operator: string): void {
    if (this.#nesting === 0) this.#operators.push(operator);
    if (operator === "|&") this.#extra("the operator |&");
  }

  #extra(what: string): void {
    if (this.#nesting === 0) this.#extras.add(what);
  }

  #nested(read: () => void): void {
    this.#nesting += 1;
    this.#deeper(read);
    this.#nesting -= 1;
  }

  #deeper(read: () => void): void {
    if (this.#depth >= DEPTH_MAX) return this.confuse("it is nested too deeply", true);
    this.#depth += 1;
    read();
    this.#depth -= 1;
  }
}

/** Whether nothing but blanks, joining operators and comments stands between the spans. */
function isOnlyBetween(text: string, spans: readonly { pos: number; end: number }[]): boolean {
  let at = 0;
  let rest = "";
  for (const { pos, end } of [...spans].sort((a, b) => a.pos - b.pos)) {
    rest += `${text.slice(at, pos)}x`;
    at = Math.max(at, end);
  }
  return /^(?:\\\n|[\s;&|x]|(?<=^|[\s;&|])#[^\n]*)*$/.test(rest + text.slice(at));
}

function readArgument(argument: CommandArgument): Word {
  if (argument.type === "Word") return readWord(argument);
  const head = knownWord(`${argument.name}${argument.append === true ? "+=" : "="}`);
  const value = argument.value.type === "Word" ? readWord(argument.value) : unknownWord("(…)");
  return {
    text: head.text + value.text,
    units: [...head.units, ...value.units],
    known: value.known && argument.index === undefined,
    opens: false,
  };
}

function readRedirection(redirect: ParsedRedirection): Redirection | undefined {
  switch (redirect.type) {
    case "HereDoc": {
      const { parts, text } = redirect.body;
      const target = parts === undefined ? knownWord(text) : fromParts(parts);
      return { operator: redirect.operator, target, effect: "feeds" };
    }
    case "HereString": {
      const target = redirect.target === undefined ? knownWord("") : readWord(redirect.target);
      return { operator: redirect.operator, target, effect: "feeds" };
    }
    case "Redirect": {
      const target = redirect.target === undefined ? unknownWord("") : readWord(redirect.target);
      return { operator: redirect.operator, target, effect: effectOf(redirect.operator, target) };
    }
    default:
      return redirect satisfies never;
  }
}

function effectOf(operator: string, target: Word): Redirection["effect"] {
  const isDescriptor = target.known && /^(\d+-?|-)$/.test(target.text);
  if ((operator === ">&" || operator === "<&") && isDescriptor) return "nothing";
  if (target.known && target.text === "/dev/null") return "nothing";
  return operator === "<" || operator === "<&" ? "reads" : "writes";
}

function stdinOf(redirections: readonly Redirection[], isPiped: boolean): Stdin {
  const feed = redirections.findLast(({ effect }) => effect === "feeds");
  if (feed !== undefined) return { kind: "text", word: feed.target };
  return { kind: isPiped ? "piped" : "none" };
}
