/** One turn without a terminal: the answer on stdout, everything else on stderr, one exit code. */
import type { App } from "./app.ts";
import type { OutputFormat } from "./options.ts";
import { isSlash, runCommand } from "./terminal/commands/mod.ts";
import { resultLine, resultText } from "./terminal/json_sink.ts";
import { errorText, stderr, stdout } from "./terminal/process.ts";
import {
  EXIT,
  type Outcome,
  type ResultDocument,
  resultDocument,
  UsageFold,
} from "./terminal/result.ts";

const SIGNALS = {
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
  SIGHUP: EXIT.hangup,
} as const;

/** `deno task` passes on a signal that the terminal has sent to us as well. */
const SAME_SIGNAL_MS = 100;

/** Run one prompt (or one slash command) and print its result. Resolves to the exit code. */
export async function headless(
  app: App,
  prompt: string,
  { format, usage }: { format: OutputFormat; usage: UsageFold },
): Promise<number> {
  const started = performance.now();
  let signalled: number | undefined;
  let signalledAt = 0;
  const handlers = Object.entries(SIGNALS).map(([name, code]) => {
    const handler = () => {
      const now = performance.now();
      // A second signal does not wait for anything; what comes within milliseconds is the same one, passed on twice.
      if (signalled !== undefined && now - signalledAt > SAME_SIGNAL_MS) Deno.exit(code);
      signalled ??= code;
      signalledAt = now;
      app.harness.interrupt();
    };
    return { name: name as Deno.Signal, handler };
  });
  for (const { name, handler } of handlers) Deno.addSignalListener(name, handler);
  try {
    const outcome = isSlash(prompt) ? await command(app, prompt) : await app.say(prompt);
    const document = resultDocument(outcome, {
      ...app.facts(),
      durationMs: performance.now() - started,
      usage,
      ...(signalled === undefined ? {} : { exitCode: signalled }),
    });
    print(document, format, outcome);
    return document.exitCode;
  } finally {
    for (const { name, handler } of handlers) Deno.removeSignalListener(name, handler);
  }
}

/** A slash command's result in the shape of a turn's. */
async function command(app: App, line: string): Promise<Outcome> {
  const result = await runCommand(line, app.commandHost);
  if (result.say !== undefined) return await app.say(result.say);
  const base = { requests: 0, calls: [] };
  if (result.ok) return { ...base, stop: "end", answer: result.text };
  return { ...base, stop: "error", answer: "", error: new Error(result.text) };
}

function print(document: ResultDocument, format: OutputFormat, outcome: Outcome): void {
  switch (format) {
    case "json":
      stdout(resultText(document));
      break;
    case "jsonl":
      stdout(resultLine(document));
      break;
    case "text":
      if (document.exitCode === EXIT.failed) {
        if (outcome.requests === 0 && document.error !== undefined) {
          stderr(`harness: ${document.error.message}\n`);
        } else if (document.stop === "refusal") {
          stderr(`harness: ${document.error?.message}. ${document.error?.hint}\n`);
        }
      } else if (document.answer !== "") {
        stdout(document.answer.endsWith("\n") ? document.answer : `${document.answer}\n`);
      }
      break;
    default:
      format satisfies never;
  }
}

/** The result of a run that failed before there was a conversation: the same shapes, the same codes. */
export function failedBefore(error: unknown, format: OutputFormat, exitCode: number): void {
  if (format === "text") {
    stderr(errorText(error));
    return;
  }
  const outcome: Outcome = { stop: "error", answer: "", requests: 0, calls: [], error };
  const document = resultDocument(outcome, {
    session: "",
    id: "",
    model: "",
    workspace: "/",
    durationMs: 0,
    usage: new UsageFold(),
    cost: () => null,
    exitCode,
  });
  stderr(errorText(error));
  if (format === "json") stdout(resultText(document));
  else {
    stdout(
      `${
        JSON.stringify({ type: "session", version: 1, session: "", id: "", model: "", cwd: "" })
      }\n`,
    );
    stdout(resultLine(document));
  }
}
