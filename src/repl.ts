/** The conversation in a terminal: one typed line becomes a slash command or a turn. */
import type { App } from "./app.ts";
import { isSlash, runCommand } from "./terminal/commands/mod.ts";
import type { Screen } from "./terminal/screen.ts";
import { EXIT } from "./terminal/result.ts";

/** How soon a second Ctrl+C must follow to leave. */
const LEAVE_WITHIN_MS = 2_000;

/** `deno task` passes on a Ctrl+C that the terminal has sent to us as well: two or three arrive within milliseconds. */
const SAME_PRESS_MS = 100;

/** Talk until the person leaves. `first` is said for them. Resolves to the exit code. */
export async function repl(app: App, screen: Screen, first?: string): Promise<number> {
  const left = Promise.withResolvers<number>();
  let lastInterruptAt = -Infinity;
  const onInterrupt = () => {
    const now = performance.now();
    if (now - lastInterruptAt < SAME_PRESS_MS) return;
    if (now - lastInterruptAt < LEAVE_WITHIN_MS) return left.resolve(EXIT.interrupted);
    lastInterruptAt = now;
    if (app.harness.isRunning) app.harness.interrupt();
    else screen.print("Ctrl+C again leaves; /help lists what can be typed", "event");
  };
  const onTerminate = () => left.resolve(EXIT.terminated);
  const onHangup = () => left.resolve(EXIT.hangup);
  Deno.addSignalListener("SIGINT", onInterrupt);
  Deno.addSignalListener("SIGTERM", onTerminate);
  Deno.addSignalListener("SIGHUP", onHangup);
  try {
    const code = await Promise.race([talk(app, screen, first), left.promise]);
    app.harness.interrupt();
    return code;
  } finally {
    screen.close();
    Deno.removeSignalListener("SIGINT", onInterrupt);
    Deno.removeSignalListener("SIGTERM", onTerminate);
    Deno.removeSignalListener("SIGHUP", onHangup);
  }
}

async function talk(app: App, screen: Screen, first: string | undefined): Promise<number> {
  if (first !== undefined) {
    screen.print(`you: ${first}`, "result");
    await app.say(first);
  }
  for (;;) {
    const line = await screen.line();
    if (line === undefined) return EXIT.done;
    const text = line.trim();
    if (text === "") continue;
    if (!isSlash(text)) {
      await app.say(line);
      continue;
    }
    const result = await runCommand(text, app.commandHost);
    if (result.text !== "") screen.print(result.text, result.ok ? "result" : "error");
    if (result.say !== undefined) await app.say(result.say);
    if (result.leave === true) return EXIT.done;
  }
}
