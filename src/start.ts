/** `harness` itself: terms, then either a conversation in the terminal or one turn without. */
import { type App, buildApp } from "./app.ts";
import { failedBefore, headless } from "./headless.ts";
import type { OutputFormat, RunOptions } from "./options.ts";
import { PersonError } from "./protocol/error.ts";
import { repl } from "./repl.ts";
import { readPrompt } from "./stdin.ts";
import { isColored, palette } from "./terminal/color.ts";
import { jsonLines } from "./terminal/json_sink.ts";
import { PlainScreen } from "./terminal/plain.ts";
import { stderr, stdout } from "./terminal/process.ts";
import { EXIT, UsageFold } from "./terminal/result.ts";
import { transcript } from "./terminal/transcript.ts";
import { askTerms } from "./terms_question.ts";

/** Start with these options; resolves to the exit code. */
export async function start(run: RunOptions): Promise<number> {
  const isInteractive = run.print === undefined && Deno.stdin.isTerminal();
  if (isInteractive && run.output !== undefined) {
    throw new PersonError("usage", "--output is for a run without a terminal", 'Add -p "…"');
  }
  return isInteractive ? await converse(run) : await once(run);
}

/** One slash command without a conversation; its text goes to stdout. */
export function slash(line: string, run: RunOptions = {}): Promise<number> {
  return once({ ...run, print: line });
}

async function converse(run: RunOptions): Promise<number> {
  const env = Deno.env.toObject();
  if (!await askTerms({ env, isInteractive: true })) return EXIT.failed;
  const paint = palette(
    isColored({ isTerminal: Deno.stdout.isTerminal(), env: (name) => env[name] }),
  );
  let screen: PlainScreen | undefined;
  const app = await buildApp({
    run,
    env,
    isInteractive: true,
    makeScreen: (facts) => {
      screen = new PlainScreen({
        input: Deno.stdin.readable,
        write: stdout,
        paint,
        showsThinking: () => facts.settings().SHOW_THINKING,
      });
      return { approver: screen.approver, asker: screen.asker, sinks: [screen.sink] };
    },
  });
  if (screen === undefined) throw new Error("The screen was not built");
  try {
    for (const line of await app.greeting()) screen.print(line, "event");
    return await repl(app, screen);
  } finally {
    await app.close();
  }
}

async function once(run: RunOptions): Promise<number> {
  const format: OutputFormat = run.output ?? "text";
  const env = Deno.env.toObject();
  let app: App | undefined;
  try {
    await askTerms({ env, isInteractive: false });
    const prompt = await readPrompt({ print: run.print, stdin: Deno.stdin, warn: stderr });
    const usage = new UsageFold();
    app = await buildApp({
      run,
      env,
      isInteractive: false,
      makeScreen: (facts) => ({
        approver: () => Promise.resolve({ answer: "nobody" }),
        asker: () => Promise.resolve(undefined),
        sinks: [usage.sink, headlessSink(format, facts, env)],
      }),
    });
    return await headless(app, prompt, { format, usage });
  } catch (error) {
    const code = error instanceof PersonError && error.kind === "usage" ? EXIT.usage : EXIT.failed;
    failedBefore(error, format, code);
    return code;
  } finally {
    await app?.close();
  }
}

type Facts = Parameters<Parameters<typeof buildApp>[0]["makeScreen"]>[0];

function headlessSink(format: OutputFormat, facts: Facts, env: Record<string, string>) {
  if (format === "jsonl") return jsonLines(stdout, facts.header());
  const paint = palette(
    isColored({ isTerminal: Deno.stderr.isTerminal(), env: (name) => env[name] }),
  );
  return transcript({ write: stderr, paint, showsText: false, showsThinking: () => false });
}
