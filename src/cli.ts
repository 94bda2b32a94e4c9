/** The command line: its commands, each loaded when it is asked for. Parsing, help and completions come from the declarations. */
import {
  type Application,
  buildApplication,
  buildRouteMap,
  type RouteMap,
  run,
} from "@stricli/core";
import { acp } from "./command_line/acp.ts";
import { bare, type Context } from "./command_line/command.ts";
import {
  connect,
  demo,
  doctor,
  importing,
  policy,
  set,
  start,
} from "./command_line/conversations.ts";
import { mcp } from "./command_line/mcp.ts";
import { sessions } from "./command_line/sessions.ts";
import { normalise } from "./entry/argv.ts";
import { PersonError } from "./protocol/error.ts";
import type { CompletedShell } from "./subcommands/completions.ts";
import { stdout, tell } from "./terminal/process.ts";
import { quietConsole } from "./terminal/quiet_console.ts";
import { EXIT, exitCodeOfError } from "./terminal/exit_code.ts";
import { VERSION } from "./version.ts";

const update = bare(
  "Say how to get a newer version; looks nowhere for one",
  async () => (await import("./subcommands/update.ts")).update(),
);

const man = bare("Print the man page; man -l reads it, as does any man that finds it", async () => {
  return (await import("./subcommands/man.ts")).man(root);
});

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
  ...{ start, connect, sessions, set, policy, mcp, import: importing, doctor, demo, acp },
  ...{ completions, man, update },
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
  quietConsole();
  try {
    return await runArguments(argv);
  } catch (error) {
    return await failed(error);
  }
}

async function failed(error: unknown): Promise<number> {
  const { errorText } = await import("./terminal/error_text.ts");
  tell(errorText(error));
  return exitCodeOfError(error);
}

async function runArguments(argv: readonly string[]): Promise<number> {
  const args = argv[0] === "help" ? ["--help"] : normalise(argv);
  const [word] = args;
  if (word !== undefined && !word.startsWith("-") && !Object.hasOwn(routes, word)) {
    return await refuse(await unknownCommand(word), args);
  }
  const process: { exitCode?: number } = {};
  const outcome: Context["outcome"] = { code: EXIT.done };
  const complaints: string[] = [];
  const complain = (text: string) => void complaints.push(text);
  // stricli would make something of its own of an error of the stream.
  const unwritten: unknown[] = [];
  const print = (text: string) => {
    try {
      stdout(text);
    } catch (error) {
      unwritten.push(error);
    }
  };
  const streams = { stdout: { write: print }, stderr: { write: complain } };
  // The list of commands says nothing of the options of the command that needs no name.
  if (args.length === 1 && (word === "--help" || word === "-h")) {
    await run(application, ["start", "--help"], { process: { ...streams }, outcome });
    print("\n");
  }
  await run(application, args, { process: Object.assign(process, streams), outcome });
  const { error } = outcome;
  if (error !== undefined) return await failed(error);
  if (unwritten.length > 0) return await failed(unwritten[0]);
  if ((process.exitCode ?? 0) === 0) return outcome.code;
  // Whatever stricli refuses is a wrong use of the command line.
  const hint = "harness --help lists the options";
  return await refuse(new PersonError("usage", complaints.join("").trim(), hint), args);
}

async function unknownCommand(word: string): Promise<PersonError> {
  const { nearest } = await import("./lib/nearest.ts");
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
    await failed(error);
    return EXIT.usage;
  }
  const { failedBefore } = await import("./talk/headless.ts");
  const { JsonStream } = await import("./terminal/json_sink.ts");
  failedBefore(error, EXIT.usage, { format, stream: new JsonStream(stdout) });
  return EXIT.usage;
}
