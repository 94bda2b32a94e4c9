/** Flags and subcommands, declared once: parsing, help and (later) completions come from these declarations. */
import {
  type Application,
  buildApplication,
  buildCommand,
  buildRouteMap,
  type CommandContext,
  run,
} from "@stricli/core";
import { PersonError } from "./protocol/error.ts";
import { normalise, type RunOptions } from "./options.ts";
import { errorText, stderr, stdout } from "./terminal/process.ts";
import { EXIT } from "./terminal/result.ts";
import { VERSION } from "./version.ts";

/** Carries the exit code out of a command. */
type Context = CommandContext & { exitCode: number };

const text = (brief: string, placeholder: string) =>
  ({ kind: "parsed", parse: String, brief, placeholder, optional: true }) as const;
const many = (brief: string, placeholder: string) =>
  ({ kind: "parsed", parse: String, brief, placeholder, optional: true, variadic: true }) as const;
const flag = (brief: string) =>
  ({ kind: "boolean", brief, optional: true, withNegated: false }) as const;

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
  auto: flag("Allow what would ask, inside the workspace"),
  plan: flag("Read only: nothing is changed"),
  allow: many("An allow rule for this run", "RULE"),
  deny: many("A deny rule for this run", "RULE"),
  sandbox: {
    kind: "enum",
    values: ["auto", "require", "off"],
    brief: "How commands are contained",
    optional: true,
  },
  trust: flag("Trust this project's rules, servers and skills for this run"),
  addDir: many("A further directory that the tools may work in", "DIR"),
  cwd: text("Work in this directory", "DIR"),
  set: many("A setting for this run", "NAME=VALUE"),
  offline: flag("Open no connection but to this machine"),
  plain: flag("The plain screen: no cursor movement, no full screen"),
  output: {
    kind: "enum",
    values: ["text", "json", "jsonl"],
    brief: "How a run without a terminal prints",
    optional: true,
  },
} as const;

type RunFlags = {
  [K in keyof RunFlagsRaw]: RunFlagsRaw[K];
};
type RunFlagsRaw = RunOptions;

const start = buildCommand<RunFlags, [], Context>({
  docs: {
    brief: "Talk to the model in this directory (the default)",
    fullDescription:
      'In a terminal: a conversation. Without one, or with -p: one turn.\n  harness\n  harness -p "What does main.ts do?" --output json\n  harness -c',
  },
  parameters: { flags: RUN_FLAGS, aliases: { p: "print", m: "model", c: "continue", r: "resume" } },
  async func(flags) {
    const { start } = await import("./start.ts");
    this.exitCode = await start(flags);
  },
});

const set = buildCommand<{ cwd?: string }, [string?, string?], Context>({
  docs: { brief: "List the settings, or change one for good" },
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [
        { brief: "Name of the setting", parse: String, optional: true, placeholder: "NAME" },
        { brief: "Its value, or default", parse: String, optional: true, placeholder: "VALUE" },
      ],
    },
    flags: { cwd: text("Work in this directory", "DIR") },
  },
  async func(_flags, name = "", value = "") {
    const { slash } = await import("./start.ts");
    this.exitCode = await slash(`/set ${name} ${value}`.trim());
  },
});

const policyCheck = buildCommand<RunFlags, [string], Context>({
  docs: { brief: 'Say what would happen with a call such as "run_cmd(git push)", and why' },
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [{ brief: "The call", parse: String, placeholder: "TOOL(ARG)" }],
    },
    flags: RUN_FLAGS,
  },
  async func(flags, call) {
    const { slash } = await import("./start.ts");
    this.exitCode = await slash(`/perms check ${call}`, flags);
  },
});

const sessionsList = buildCommand<Record<never, never>, [], Context>({
  docs: { brief: "List saved sessions, newest first" },
  parameters: {},
  async func() {
    const { sessionsCommand } = await import("./sessions_command.ts");
    this.exitCode = await sessionsCommand({ do: "list" });
  },
});

const sessionsShow = buildCommand<Record<never, never>, [string], Context>({
  docs: { brief: "Print a session as Markdown" },
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [{ brief: "Id, uid or title", parse: String, placeholder: "SESSION" }],
    },
  },
  async func(_flags, query) {
    const { sessionsCommand } = await import("./sessions_command.ts");
    this.exitCode = await sessionsCommand({ do: "export", query, format: "markdown" });
  },
});

const sessionsExport = buildCommand<{ format?: "markdown" | "json" }, [string], Context>({
  docs: { brief: "Write a session to standard output as Markdown or JSON" },
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [{ brief: "Id, uid or title", parse: String, placeholder: "SESSION" }],
    },
    flags: {
      format: { kind: "enum", values: ["markdown", "json"], brief: "The format", optional: true },
    },
  },
  async func({ format = "markdown" }, query) {
    const { sessionsCommand } = await import("./sessions_command.ts");
    this.exitCode = await sessionsCommand({ do: "export", query, format });
  },
});

const demo = buildCommand<RunFlags, [], Context>({
  docs: { brief: "Watch the scripted model mend a small program in a scratch folder" },
  parameters: { flags: RUN_FLAGS },
  async func(flags) {
    const { demo } = await import("./demo.ts");
    this.exitCode = await demo(flags);
  },
});

const sessions = buildRouteMap({
  routes: { list: sessionsList, show: sessionsShow, export: sessionsExport },
  docs: { brief: "Saved sessions" },
});
const policy = buildRouteMap({
  routes: { check: policyCheck },
  docs: { brief: "Permission rules" },
});

const application: Application<Context> = buildApplication(
  buildRouteMap<string, Context>({
    routes: { start, sessions, set, policy, demo },
    defaultCommand: "start",
    docs: {
      brief:
        "A terminal AI assistant that works on your files, asks before it changes them, and can undo what it did",
    },
  }),
  {
    name: "harness",
    versionInfo: { currentVersion: VERSION },
    scanner: { caseStyle: "allow-kebab-for-camel", allowArgumentEscapeSequence: true },
    documentation: { caseStyle: "convert-camel-to-kebab", useAliasInUsageLine: true },
  },
);

/** Run the program for these arguments; resolves to its exit code and never throws. */
export async function runCli(argv: readonly string[]): Promise<number> {
  const context: Context = {
    process: { stdout: { write: stdout }, stderr: { write: stderr } },
    exitCode: EXIT.done,
  };
  let problem: unknown;
  const stricliProcess = { ...context.process, exitCode: undefined as number | string | undefined };
  context.process = stricliProcess as typeof context.process;
  try {
    await run(application, normalise(argv), context);
  } catch (error) {
    problem = error;
  }
  if (problem !== undefined) {
    stderr(errorText(problem));
    return problem instanceof PersonError && problem.kind === "usage" ? EXIT.usage : EXIT.failed;
  }
  const code = stricliProcess.exitCode;
  return typeof code === "number" && code !== 0 ? EXIT.usage : context.exitCode;
}
