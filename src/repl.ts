/** The conversation in a terminal: one typed line becomes a slash command or a turn. */
import type { App } from "./app.ts";
import { commandResult, giveBack, goOnIn, type Seat } from "./talk/seat.ts";
import { personCommand } from "./compose/person_commands.ts";
import { settlesWithin } from "./lib/within.ts";
import { onSignals, SIGNAL_CODES } from "./talk/signals.ts";
import { isSlash } from "./terminal/commands/slash.ts";
import type { Screen } from "./terminal/screen.ts";
import { EXIT } from "./terminal/exit_code.ts";

/** How soon a second Ctrl+C must follow to leave. */
const LEAVE_WITHIN_MS = 2_000;

/** What a turn gets to end in when the person leaves: a little more than a tool that does not listen. */
const LAST_TURN_MS = 500;

/** What comes before the first prompt: `first` is said for the person. */
export type Opening = { first?: string };

/** Talk until the person leaves. Resolves to the exit code. */
export async function repl(seat: Seat, screen: Screen, opening: Opening = {}): Promise<number> {
  const left = Promise.withResolvers<number>();
  let lastInterruptAt = -Infinity;
  using _ = onSignals((signal) => {
    const now = performance.now();
    const isAgain = now - lastInterruptAt < LEAVE_WITHIN_MS;
    if (signal !== "SIGINT" || isAgain) return left.resolve(SIGNAL_CODES[signal]);
    lastInterruptAt = now;
    if (!seat.app.interrupt()) {
      screen.print("Ctrl+C again leaves; /help lists what can be typed", "event");
    }
  });
  screen.onLeave?.((code) => left.resolve(code));
  const talking = talk(seat, screen, opening);
  try {
    return await Promise.race([talking, left.promise]);
  } finally {
    // The turn that is left behind ends first: its last events are still to be saved.
    seat.app.interrupt();
    await giveBack(screen);
    await settlesWithin(talking, LAST_TURN_MS);
  }
}

async function talk(seat: Seat, screen: Screen, { first }: Opening): Promise<number> {
  const tellOnce = lateTeller(seat.app, screen);
  if (first !== undefined || !await seat.app.canTellLater()) await tellOnce();
  if (first !== undefined) {
    // A screen that shows by itself what was typed shows this message too.
    if (screen.typed === undefined) screen.print(`you: ${first}`, "result");
    await seat.app.say(first);
  }
  for (;;) {
    const { app } = seat;
    const typing = screen.line();
    app.makeReady(); // The prompt stands.
    const line = await typing;
    if (line === undefined) return EXIT.done;
    const text = line.trim();
    if (text === "") continue;
    await tellOnce();
    const command = personCommand(text);
    if (command !== undefined) {
      screen.typed?.(text);
      await runForPerson(command, app, screen);
      continue;
    }
    if (!isSlash(text)) {
      await app.say(line);
      continue;
    }
    screen.typed?.(text);
    const result = await commandResult(text, app);
    if (result.text !== "") screen.print(result.text, result.ok ? result.as ?? "result" : "error");
    if (result.say !== undefined) await app.say(result.say);
    if (result.next !== undefined) await goOnIn(result.next, seat, screen);
    if (result.leave === true) return EXIT.done;
  }
}

/** Says once, before anything is done, what the first prompt did not wait for. */
function lateTeller(app: App, screen: Screen): () => Promise<void> {
  let isTold = false;
  return async () => {
    if (isTold) return;
    isTold = true;
    for (const notice of await app.lateNotices()) screen.print(notice, "event");
  };
}

/** A line after a "!". The screen that shows what was typed shows by itself how it ended, too. */
async function runForPerson(command: string, app: App, screen: Screen): Promise<void> {
  if (command === "") {
    return screen.print("!COMMAND runs a command of yours, for example !git status", "event");
  }
  const status = await app.shell(command);
  if (status !== "" && screen.typed === undefined) screen.print(status, "event");
}
