/** Which conversation is talked with now: a person can go on in another one. */
import type { App } from "@/app.ts";
import {
  type CommandHost,
  type CommandResult,
  type NextConversation,
  refused,
} from "@/terminal/commands/spec.ts";
import { errorText } from "@/terminal/error_text.ts";
import type { Screen } from "@/terminal/screen.ts";

/** It holds one at a time. */
export type Seat = {
  app: App;
  /** Told what slash commands reach of the one that takes its place. */
  onNext?(host: CommandHost): void;
};

/** Another conversation takes the place of this one. What cannot be opened leaves everything as it is. */
export async function goOnIn(next: NextConversation, seat: Seat, screen: Screen): Promise<void> {
  const before = seat.app;
  const kept = before.harness.turn > 0 ? before.facts().id : undefined;
  try {
    const app = await before.next(next);
    const host = await app.commandHost();
    seat.app = app;
    seat.onNext?.(host);
  } catch (error) {
    screen.print(errorText(error), "error");
    return;
  }
  await screen.begin?.(seat.app.pastRecords);
  for (const line of seat.app.greeting()) screen.print(line, "event");
  if (kept !== undefined && before.settings().SAVE_CHAT_HISTORY) {
    screen.print(`what was said before is kept: /load ${kept} goes back to it`, "event");
  }
}

/** A command that breaks must not take the conversation with it. */
export async function commandResult(line: string, app: App): Promise<CommandResult> {
  try {
    return await app.slash(line);
  } catch (error) {
    return refused(errorText(error));
  }
}

/** Leave the terminal to the shell, once it owes no answer: what came later would be typed there. */
export async function giveBack(screen: Screen): Promise<void> {
  try {
    await screen.settled?.();
  } finally {
    screen.close();
  }
}
