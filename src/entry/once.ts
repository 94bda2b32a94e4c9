/** One prompt, or one slash command, without a terminal. */
import { type App, buildApp } from "@/app.ts";
import { endedBefore, failedBefore, headless, type HeadlessOutput } from "@/talk/headless.ts";
import { join, resolve } from "@/lib/path.ts";
import { revokeWriting } from "@/lib/write_scope.ts";
import { checkFilled } from "@/compose/filled.ts";
import { addedDirectories, type OutputFormat, type RunOptions } from "@/compose/options.ts";
import { NOBODY } from "@/talk/nobody.ts";
import { acceptTerms, findPlace, type Place } from "@/compose/place.ts";
import type { JsonSchema } from "@/protocol/tool.ts";
import { EndRequest } from "@/talk/signals.ts";
import { readPrompt } from "./stdin.ts";
import { isSlash } from "@/terminal/commands/slash.ts";
import { isColored, palette } from "@/terminal/color.ts";
import { errorText } from "@/terminal/error_text.ts";
import { JsonStream } from "@/terminal/json_sink.ts";
import { LineWriter } from "@/terminal/line_writer.ts";
import { stderr, stdout, tell } from "@/terminal/process.ts";
import { EXIT, exitCodeOfError } from "@/terminal/exit_code.ts";
import { UsageFold } from "@/terminal/result.ts";
import { transcript } from "@/terminal/transcript.ts";

/** One slash command without a conversation; its text goes to stdout. */
export function slash(line: string, run: RunOptions = {}): Promise<number> {
  return once({ ...run, print: line });
}

/** One prompt; resolves to the exit code. */
export async function once(run: RunOptions): Promise<number> {
  const format: OutputFormat = run.output ?? "text";
  const stream = new JsonStream(stdout);
  const output = { format, stream };
  // From the first moment: whoever reads the output relies on a result, however early the signal comes.
  using end = new EndRequest();
  let app: App | undefined;
  try {
    const ready = await end.unlessAsked(prepare(run, output));
    app = ready?.app;
    if (ready === undefined || end.code !== undefined) {
      const code = end.code ?? EXIT.interrupted;
      endedBefore(code, output);
      return code;
    }
    return await headless(ready.app, ready.prompt, {
      ...{ ...output, usage: ready.usage, end },
      ...(ready.schema && { schema: ready.schema }),
    });
  } catch (error) {
    const code = exitCodeOfError(error);
    failedBefore(error, code, output);
    return code;
  } finally {
    await close(app);
  }
}

/** What cannot be saved at the end is told; the result that was printed, with its exit code, stands. */
async function close(app: App | undefined): Promise<void> {
  try {
    await app?.close();
  } catch (error) {
    tell(errorText(error));
  }
}

/** Everything that comes before the prompt is said. Throws what the person can mend, and our faults. */
async function prepare(
  run: RunOptions,
  { format, stream }: HeadlessOutput,
): Promise<{ app: App; prompt: string; usage: UsageFold; schema?: JsonSchema }> {
  checkFilled(run);
  const place = await findPlace(run);
  const schema = await schemaOf(run, place);
  await acceptTerms(place, { warn: tell });
  // A command takes no text beside it, and leaves standard input to whoever reads it next.
  const prompt = isSlash(run.print ?? "")
    ? run.print ?? ""
    : await readPrompt({ print: run.print, stdin: Deno.stdin, warn: tell });
  const usage = new UsageFold();
  const app = await buildApp({
    run,
    place,
    isInteractive: false,
    needsModel: !isSlash(prompt),
    makeScreen: (facts) => {
      if (format === "jsonl") stream.begin(facts.header());
      const sink = format === "jsonl" ? stream.sink : transcriptBeside(place);
      return { ...NOBODY, sinks: [usage.sink, sink] };
    },
    warn: tell,
  });
  for (const notice of app.notices) tell(notice);
  // Nobody is there to end plan mode.
  if (run.plan === true && !isSlash(prompt)) await stopWriting(run, place);
  return { app, prompt, usage, ...(schema && { schema }) };
}

async function schemaOf({ outputSchema }: RunOptions, { stoodIn }: Place) {
  if (outputSchema === undefined) return undefined;
  const { readOutputSchema } = await import("@/talk/output_schema.ts");
  return await readOutputSchema(resolve(stoodIn, outputSchema));
}

/** To the directories that are worked in, as far as Deno holds it. */
async function stopWriting(run: RunOptions, { workspace, stoodIn, paths, env }: Place) {
  const dirs = [workspace, ...await addedDirectories(run.addDir ?? [], stoodIn)];
  const keep = [paths.home, "/tmp", "/var/tmp", ...(env["TMPDIR"] ? [env["TMPDIR"]] : [])];
  revokeWriting(dirs.flatMap((dir) => [dir, join(dir, ".git")]), keep);
}

/** What is told on standard error while the answer goes to standard output. */
function transcriptBeside(place: Place) {
  const paint = painter(place, Deno.stderr);
  const out = new LineWriter(stderr);
  return transcript({ out, paint, showsText: false, showsThinking: () => false });
}

function painter({ env }: Place, stream: { isTerminal(): boolean }) {
  return palette(isColored({ isTerminal: stream.isTerminal(), env: (name) => env[name] }));
}
