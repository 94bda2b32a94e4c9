/** A conversation in the terminal, on whichever screen: terms, the program, what waits for trust, then talk. */
import { type App, buildApp } from "./app.ts";
import type { OpenedFull } from "./full_open.ts";
import type { RunOptions } from "./options.ts";
import { acceptTerms, type Place } from "./place.ts";
import { repl } from "./repl.ts";
import type { Settings } from "./settings/settings.ts";
import { isYes } from "./settings/terms.ts";
import { isColored, palette } from "./terminal/color.ts";
import type { TranscriptView } from "./terminal/full/transcript_face.ts";
import { PlainScreen } from "./terminal/plain.ts";
import { stdout } from "./terminal/process.ts";
import type { Screen } from "./terminal/screen.ts";

/** Makes what shows the events; the settings are there once the program is. */
export type MakeView = (
  facts: { settings(): Settings | undefined },
) => Promise<TranscriptView>;

/** How it begins. */
export type Beginning = {
  /** Said for the person. */
  first?: string;
  /** The full screen that is open already; without it, a plain one. */
  full?: { opened: OpenedFull; makeView: MakeView };
};

const FORK = "question: go on with a copy of the session? (y, anything else is no): ";

/** Talk until the person leaves; resolves to the exit code. */
export async function converse(
  run: RunOptions,
  place: Place,
  { first, full }: Beginning = {},
): Promise<number> {
  let app: App | undefined;
  const settings = () => app?.settings();
  const screen: Screen = full?.opened.screen ?? plainScreen(place, settings);
  const warn = (line: string) => screen.print(line, "event");
  try {
    full?.opened.screen.show(await full.makeView({ settings }));
    const ask = (text: string, question: string) => screen.ask(`${text}\n\n${question}`);
    await acceptTerms(place, { ask, warn });
    app = await buildApp({
      run,
      place,
      isInteractive: true,
      needsModel: true,
      makeScreen: () => ({
        approver: screen.approver,
        asker: screen.asker,
        secret: (text) => screen.secret(text),
        sinks: [screen.sink],
      }),
      warn,
      mayFork: async (why) => isYes(await screen.ask(`${why}\n\n${FORK}`)),
    });
    if (full !== undefined) await lendTo(full.opened, app, place);
    for (const line of app.greeting()) screen.print(line, "event");
    await offerTrust(app, screen);
    return await repl(app, screen, first);
  } finally {
    screen.close();
    await app?.close();
  }
}

/** Loaded only where there is a full screen. */
async function lendTo(opened: OpenedFull, app: App, place: Place): Promise<void> {
  const { lend } = await import("./full_lend.ts");
  await lend(opened, { app, place });
}

function plainScreen({ env }: Place, settings: () => Settings | undefined): PlainScreen {
  const isTerminal = Deno.stdout.isTerminal();
  return new PlainScreen({
    input: Deno.stdin.readable,
    write: stdout,
    setRaw: (on) => Deno.stdin.setRaw(on),
    paint: palette(isColored({ isTerminal, env: (name) => env[name] })),
    showsThinking: () => settings()?.SHOW_THINKING ?? false,
  });
}

/** What of the project waits for trust, once, before the first prompt. */
async function offerTrust(app: App, screen: Screen): Promise<void> {
  const { trust } = app.commandHost;
  const pending = await trust.pending();
  if (pending === undefined) return;
  screen.print(pending, "event");
  const answer = await screen.ask(
    "question: trust exactly these contents? (y, anything else is no): ",
  );
  if (!isYes(answer)) {
    screen.print("they do nothing; /trust shows them again", "event");
    return;
  }
  const { ok, text } = await trust.grant();
  screen.print(text, ok ? "event" : "error");
}
