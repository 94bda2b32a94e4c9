/** One turn without a terminal: the answer on stdout, everything else on stderr, one exit code. */
import type { App } from "@/app.ts";
import type { OutputFormat } from "@/compose/options.ts";
import { PersonError } from "@/protocol/error.ts";
import type { TurnOutcome } from "@/protocol/outcome.ts";
import type { JsonSchema } from "@/protocol/tool.ts";
import type { EndRequest } from "./signals.ts";
import { isSlash } from "@/terminal/commands/slash.ts";
import { errorText } from "@/terminal/error_text.ts";
import { documentText, type JsonStream } from "@/terminal/json_sink.ts";
import { answer, stdout, tell } from "@/terminal/process.ts";
import { EXIT } from "@/terminal/exit_code.ts";
import { type ResultDocument, resultDocument, UsageFold } from "@/terminal/result.ts";

/** How a run prints. */
export type HeadlessOutput = { format: OutputFormat; stream: JsonStream };

type HeadlessRun = HeadlessOutput & {
  usage: UsageFold;
  end: EndRequest;
  /** What the answer has to fit. */
  schema?: JsonSchema;
};

/** Run one prompt (or one slash command) and print its result. Resolves to the exit code; throws what is no prompt. */
export async function headless(
  app: App,
  prompt: string,
  { usage, end, schema, ...output }: HeadlessRun,
): Promise<number> {
  if (isCommandLine(prompt)) throw notHere();
  const started = performance.now();
  end.onAsked(() => app.harness.interrupt());
  const say = schema === undefined
    ? async (text: string) => ({ outcome: await app.say(text), isTold: true })
    : await sayer(app, { schema, end });
  const { outcome, isTold } = await outcomeOf(app, { prompt, say });
  const document = resultDocument(outcome, {
    ...app.facts(),
    durationMs: performance.now() - started,
    usage,
    ...(end.code === undefined ? {} : { exitCode: end.code }),
  });
  if (!isTold && outcome.error !== undefined) tell(errorText(outcome.error));
  if (document.stop === "refusal") tell(`${document.error?.message}\n  ${document.error?.hint}`);
  print(document, output);
  return document.exitCode;
}

type Told = { outcome: TurnOutcome; isTold: boolean };

type Say = (text: string) => Promise<Told>;

async function sayer(app: App, { schema, end }: Pick<HeadlessRun, "end"> & { schema: JsonSchema }) {
  const { sayForSchema } = await import("./output_schema.ts");
  const mayAskAgain = () => end.code === undefined;
  const parts = { schema, say: (text: string) => app.say(text), mayAskAgain };
  return (prompt: string) => sayForSchema(prompt, parts);
}

/** What a prompt came to. `isTold`: the transcript has said already why a turn failed. */
async function outcomeOf(
  app: App,
  { prompt, say }: { prompt: string; say: Say },
): Promise<Told> {
  try {
    if (!isSlash(prompt)) return await say(prompt);
    const { ok, text, error, say: message } = await app.slash(prompt);
    if (message !== undefined) return await say(message);
    const outcome = ok
      ? { stop: "end", answer: text, requests: 0, calls: [] } as const
      : failed(error ?? new PersonError("state", text));
    return { outcome, isTold: false };
  } catch (error) {
    return { outcome: failed(error), isTold: false };
  }
}

/** One line after a "!"; "![" begins a picture in Markdown, and more lines are a text that was piped in. */
function isCommandLine(prompt: string): boolean {
  return /^!(?!\[)/.test(prompt.trim()) && !prompt.trim().includes("\n");
}

function notHere(): PersonError {
  return new PersonError(
    "usage",
    "A line after a ! is a command of yours in a conversation, and there is no conversation here",
    "Run the command yourself and pipe its output in",
  );
}

function failed(error: unknown): TurnOutcome {
  return { stop: "error", answer: "", requests: 0, calls: [], error };
}

function print(document: ResultDocument, { format, stream }: HeadlessOutput): void {
  switch (format) {
    case "json":
      stdout(documentText(document));
      break;
    case "jsonl":
      stream.end(document);
      break;
    case "text":
      if (document.exitCode !== EXIT.failed) answer(document.answer);
      break;
    default:
      format satisfies never;
  }
}

/** The result of a run that failed before there was a conversation: the same shapes, the same codes. */
export function failedBefore(error: unknown, exitCode: number, output: HeadlessOutput): void {
  tell(errorText(error));
  print(documentBefore(failed(error), exitCode), output);
}

/** The result of a run that was asked to end before there was a conversation. */
export function endedBefore(exitCode: number, output: HeadlessOutput): void {
  tell("interrupted before anything was asked");
  const outcome: TurnOutcome = { stop: "abort", answer: "", requests: 0, calls: [] };
  print(documentBefore(outcome, exitCode), output);
}

/** An empty answer prints nothing. */
function documentBefore(outcome: TurnOutcome, exitCode: number): ResultDocument {
  return resultDocument(outcome, {
    session: "",
    id: "",
    model: "",
    workspace: "/",
    durationMs: 0,
    usage: new UsageFold(),
    cost: () => null,
    exitCode,
  });
}
