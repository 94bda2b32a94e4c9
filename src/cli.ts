/** Flags and subcommands, declared once: parsing, help and completions come from these declarations. */
import {
  type Application,
  buildApplication,
  buildCommand,
  buildRouteMap,
  type CommandContext,
  type RouteMap,
  run,
} from "@stricli/core";
import { PersonError } from "./protocol/error.ts";
import { normalise } from "./entry/argv.ts";
import { nearest } from "./lib/nearest.ts";
import type { RunOptions } from "./compose/options.ts";
import type { CompletedShell } from "./subcommands/completions.ts";
import type { SessionsRequest } from "./subcommands/sessions.ts";
import { errorText } from "./terminal/error_text.ts";
import { stdout, tell } from "./terminal/process.ts";
import { EXIT } from "./terminal/result.ts";
import { VERSION } from "./version.ts";

/** Carries what became of a command out of it: stricli would print an error of its own. */
type Context = CommandContext & { outcome: { code: number; error?: unknown } };

/** Runs a command's work; its exit code or its error is the outcome. */
async function settle({ outcome }: Context, work: () => Promise<number>): Promise<void> {
  try {
    outcome.code = await work();
  } catch (error) {
    outcome.error = error;
  }
}

/** A slash command without a conversation, loaded when it is asked for. */
async function slash(line: string, run?: RunOptions): Promise<number> {
  return await (await import("./entry/once.ts")).slash(line, run);
}

/** The options that were given: stricli names the others as undefined. */
function given<F extends RunOptions>(flags: F): F {
  const set = Object.entries(flags).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as F;
}

const text = (brief: string, placeholder: string) =>
  ({ kind: "parsed", parse: String, brief, placeholder, optional: true }) as const;
const many = (brief: string, placeholder: string) =>
  ({ kind: "parsed", parse: String, brief, placeholder, optional: true, variadic: true }) as const;
const flag = (brief: string) =>
  ({ kind: "boolean", brief, optional: true, withNegated: false }) as const;

const oneOf = <const V extends readonly string[]>(values: V, brief: string) =>
  ({ kind: "enum", values, brief, optional: true }) as const;

function manyWords(brief: string, placeholder: string, minimum = 0) {
  return { kind: "array", minimum, parameter: { brief, parse: String, placeholder } } as const;
}

function oneWord(brief: string, placeholder: string) {
  return { kind: "tuple", parameters: [{ brief, parse: String, placeholder }] } as const;
}

/** What a run may do: everything that permission is decided by. */
const PERMISSION_FLAGS = {
  auto: flag("Allow what would ask, inside the workspace"),
  plan: flag("Read only: nothing is changed"),
  allow: many("An allow rule for this run", "RULE"),
  deny: many("A deny rule for this run", "RULE"),
  sandbox: oneOf(["auto", "require", "off"], "How commands are contained"),
  trust: flag("Trust this project's rules, servers and skills for this run"),
  addDir: many("A further directory that the tools may work in", "DIR"),
  profile: text("Work as this profile: its prompt, its tools, its rules", "DIR"),
} as const;

const CWD = text("Work in this directory", "DIR");
const SET = many("A setting for this run", "NAME=VALUE");
const PLAIN = flag("The plain screen: no cursor movement, no full screen");

const RUN_FLAGS = {
  print: {
    kind: "parsed",
    parse: String,
    brief: "One turn without a terminal; without PROMPT, or with -, standard input is the prompt",
    placeholder: "PROMPT",
    optional: true,
    inferEmpty: true,
  },
  model: text("Provider and model, for example ollama/gemma4:e4b or demo/tour", "PROVIDER/MODEL"),
  baseUrl: text("Where the provider answers", "URL"),
  continue: flag("Reopen the newest session of this directory"),
  resume: text("Reopen a session by id, uid or title", "ID|TITLE"),
  fork: flag("With -c or -r: go on with a copy, and leave that session as it is"),
  sessionId: text("The uid of the new session, or of the copy", "UUID"),
  ...PERMISSION_FLAGS,
  cwd: CWD,
  set: SET,
  budget: text("US dollars before you are asked, or a run without a terminal ends", "AMOUNT[/day]"),
  offline: flag("Open no connection but to this machine"),
  plain: PLAIN,
  output: oneOf(["text", "json", "jsonl"], "How a run without a terminal prints"),
  outputSchema: text("JSON Schema that the answer of such a run has to fit", "FILE"),
} as const;

/** The options that are named by these flags. */
type OptionsOf<F> = Pick<RunOptions, keyof F & keyof RunOptions>;

const CHECK_FLAGS = { ...PERMISSION_FLAGS, cwd: CWD, set: SET } as const;
const DEMO_FLAGS = { ...PERMISSION_FLAGS, set: SET, plain: PLAIN } as const;

const start = buildCommand<RunOptions, [], Context>({
  docs: {
    brief: "Talk to the model in this directory (the default)",
    fullDescription:
      'In a terminal: a conversation. Without one, or with -p: one turn.\n  harness\n  harness -p "What does main.ts do?" --output json\n  harness -c',
  },
  parameters: { flags: RUN_FLAGS, aliases: { p: "print", m: "model", c: "continue", r: "resume" } },
  func(flags) {
    return settle(this, async () => {
      const { enter } = await import("./entry/enter.ts");
      return await enter(given(flags));
    });
  },
});

const set = buildCommand<Record<never, never>, [string?, string?], Context>({
  docs: { brief: "List the settings, or change one for good" },
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [
        { brief: "Name of the setting", parse: String, optional: true, placeholder: "NAME" },
        { brief: "Its value, or default", parse: String, optional: true, placeholder: "VALUE" },
      ],
    },
  },
  func(_flags, name = "", value = "") {
    return settle(this, () => slash(`/set ${name} ${value}`.trim()));
  },
});

const policyCheck = buildCommand<OptionsOf<typeof CHECK_FLAGS>, [string], Context>({
  docs: { brief: 'Say what would happen with a call such as "run_cmd(git push)", and why' },
  parameters: {
    positional: oneWord("The call", "TOOL(ARG)"),
    flags: CHECK_FLAGS,
  },
  func(flags, call) {
    return settle(this, () => slash(`/perms check ${call}`, given(flags)));
  },
});

/** A subcommand that takes nothing. */
function bare(brief: string, work: () => Promise<number>) {
  return buildCommand<Record<never, never>, [], Context>({
    docs: { brief },
    parameters: {},
    func() {
      return settle(this, work);
    },
  });
}

async function saved(request: SessionsRequest): Promise<number> {
  return await (await import("./subcommands/sessions.ts")).sessionsCommand(request);
}

const SESSION = oneWord("Id, uid or title", "SESSION");

const sessionsShow = buildCommand<Record<never, never>, [string], Context>({
  docs: { brief: "Print a session as Markdown" },
  parameters: { positional: SESSION },
  func(_flags, query) {
    return settle(this, () => saved({ do: "export", query, format: "markdown" }));
  },
});

const sessionsSearch = buildCommand<Record<never, never>, string[], Context>({
  docs: { brief: "List the sessions in which a text stands, with the places" },
  parameters: {
    positional: manyWords("What to look for", "TEXT", 1),
  },
  func(_flags, ...words) {
    return settle(this, () => saved({ do: "search", text: words.join(" ") }));
  },
});

const sessionsExport = buildCommand<{ format?: "markdown" | "json" | "html" }, [string], Context>({
  docs: { brief: "Write a session to standard output as Markdown, JSON or HTML" },
  parameters: {
    positional: SESSION,
    flags: {
      format: oneOf(["markdown", "json", "html"], "The format"),
    },
  },
  func({ format = "markdown" }, query) {
    return settle(this, () => saved({ do: "export", query, format }));
  },
});

const connect = buildCommand<{ baseUrl?: string; offline?: boolean }, string[], Context>({
  docs: { brief: "Choose a provider and model; status; forget PROVIDER. A key may be piped in" },
  parameters: {
    positional: manyWords("PROVIDER MODEL, status, or forget PROVIDER", "WORD"),
    flags: { baseUrl: RUN_FLAGS.baseUrl, offline: RUN_FLAGS.offline },
  },
  func(flags, ...words) {
    return settle(this, async () => {
      const { connectFromShell } = await import("./subcommands/connect.ts");
      return await connectFromShell(words, given(flags));
    });
  },
});

const demo = buildCommand<OptionsOf<typeof DEMO_FLAGS>, [], Context>({
  docs: { brief: "Watch the scripted model mend a small program in a scratch folder" },
  parameters: { flags: DEMO_FLAGS },
  func(flags) {
    return settle(this, async () => {
      const { demo } = await import("./subcommands/demo.ts");
      return await demo(given(flags));
    });
  },
});

const doctor = buildCommand<{ cwd?: string }, [], Context>({
  docs: {
    brief: "Say what is enforced by what on this machine now, and what is there to work with",
  },
  parameters: { flags: { cwd: text("Look from this directory", "DIR") } },
  func(flags) {
    return settle(this, async () => {
      const { doctor } = await import("./subcommands/doctor.ts");
      return await doctor(flags);
    });
  },
});

/** Options by which a run of `harness mcp` finds servers and rights. */
const MCP_FLAGS = {
  trust: PERMISSION_FLAGS.trust,
  offline: RUN_FLAGS.offline,
  cwd: CWD,
  set: SET,
} as const;

function mcpCommand(line: string, brief: string) {
  return buildCommand<OptionsOf<typeof MCP_FLAGS>, [], Context>({
    docs: { brief },
    parameters: { flags: MCP_FLAGS },
    func(flags) {
      return settle(this, () => slash(line, given(flags)));
    },
  });
}

function mcpWords(line: string, brief: string, placeholder: string) {
  return buildCommand<Record<never, never>, string[], Context>({
    docs: { brief },
    parameters: { positional: manyWords(placeholder, placeholder) },
    func(_flags, ...words) {
      return settle(this, () => slash([line, ...words.map(quoted)].join(" ")));
    },
  });
}

/** A word as the slash command reads it whole. */
function quoted(word: string): string {
  return /^[^\s"']+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}

const sessions = buildRouteMap({
  routes: {
    list: bare("List saved sessions, newest first", () => saved({ do: "list" })),
    show: sessionsShow,
    search: sessionsSearch,
    export: sessionsExport,
  },
  docs: { brief: "Saved sessions" },
});
const policy = buildRouteMap({
  routes: { check: policyCheck },
  docs: { brief: "Permission rules" },
});

const mcp = buildRouteMap({
  routes: {
    list: mcpCommand(
      "/mcp list",
      "Connect the MCP servers and say how each stands; 1 when one is broken",
    ),
    ls: mcpCommand("/mcp ls", "Connect the MCP servers and list their tools"),
    add: mcpWords(
      "/mcp add",
      "Declare a server in your own mcp.json; after -- come the options of its command",
      "NAME COMMAND|URL",
    ),
    remove: mcpWords("/mcp remove", "Take one out of your own mcp.json", "NAME"),
  },
  docs: { brief: "MCP servers" },
});

const update = bare(
  "Say how to get a newer version; looks nowhere for one",
  async () => (await import("./subcommands/update.ts")).update(),
);

function completionsFor(shell: CompletedShell) {
  const brief = `Print the script for ${shell}; its first lines say how to load it`;
  return bare(brief, async () => {
    const { completions } = await import("./subcommands/completions.ts");
    return completions(shell, root);
  });
}

const completions = buildRouteMap({
  routes: {
    bash: completionsFor("bash"),
    zsh: completionsFor("zsh"),
    fish: completionsFor("fish"),
  },
  docs: { brief: "Completions for your shell" },
});

const routes = {
  ...{ start, connect, sessions, set, policy, mcp, doctor, demo },
  ...{ completions, update },
};

const root: RouteMap<Context> = buildRouteMap<string, Context>({
  routes,
  defaultCommand: "start",
  docs: {
    brief:
      "A terminal AI assistant that works on your files, asks before it changes them, and can undo what it did",
  },
});

const application: Application<Context> = buildApplication(
  root,
  {
    name: "harness",
    versionInfo: { currentVersion: `harness ${VERSION}` },
    scanner: { caseStyle: "allow-kebab-for-camel", allowArgumentEscapeSequence: true },
    documentation: { caseStyle: "convert-camel-to-kebab", useAliasInUsageLine: true },
  },
);

/** Run the program for these arguments; resolves to its exit code and never throws. */
export async function runCli(argv: readonly string[]): Promise<number> {
  const args = argv[0] === "help" ? ["--help"] : normalise(argv);
  const [word] = args;
  if (word !== undefined && !word.startsWith("-") && !Object.hasOwn(routes, word)) {
    return await refuse(unknownCommand(word), args);
  }
  const process: { exitCode?: number } = {};
  const outcome: Context["outcome"] = { code: EXIT.done };
  const complaints: string[] = [];
  const complain = (text: string) => void complaints.push(text);
  const streams = { stdout: { write: stdout }, stderr: { write: complain } };
  // The list of commands says nothing of the options of the command that needs no name.
  if (args.length === 1 && (word === "--help" || word === "-h")) {
    await run(application, ["start", "--help"], { process: { ...streams }, outcome });
    stdout("\n");
  }
  await run(application, args, { process: Object.assign(process, streams), outcome });
  const { error } = outcome;
  if (error !== undefined) {
    tell(errorText(error));
    return error instanceof PersonError && error.kind === "usage" ? EXIT.usage : EXIT.failed;
  }
  if ((process.exitCode ?? 0) === 0) return outcome.code;
  // Whatever stricli refuses is a wrong use of the command line.
  const hint = "harness --help lists the options";
  return await refuse(new PersonError("usage", complaints.join("").trim(), hint), args);
}

function unknownCommand(word: string): PersonError {
  const near = nearest(word, Object.keys(routes));
  const meant = near === undefined ? "" : `; did you mean "${near}"?`;
  return new PersonError(
    "usage",
    `No command is named "${word}"${meant}`,
    'To say something to the model: harness -p "…". harness --help lists the commands',
  );
}

/** Whoever asked for JSON gets it for a wrong use too. */
async function refuse(error: PersonError, args: readonly string[]): Promise<number> {
  const format = /(?:^|\0)--output[=\0](jsonl?)(?:\0|$)/.exec(args.join("\0"))?.[1];
  if (format !== "json" && format !== "jsonl") {
    tell(errorText(error));
    return EXIT.usage;
  }
  const { failedBefore } = await import("./talk/headless.ts");
  const { JsonStream } = await import("./terminal/json_sink.ts");
  failedBefore(error, EXIT.usage, { format, stream: new JsonStream(stdout) });
  return EXIT.usage;
}
