/** How a slash command is declared. What it is lent stands in lent/. One file a command, one line in the list. */
import { PersonError } from "@/protocol/error.ts";
import type { CommandHost } from "./lent/mod.ts";

export type { CommandHost } from "./lent/mod.ts";
export type { SwitchName } from "./lent/settings.ts";

/** What came of a command. `text` goes to the person (stdout in a headless run). */
export type CommandResult = {
  ok: boolean;
  text: string;
  /** Why it could not be done, where that was thrown. */
  error?: unknown;
  /** Leave the program. */
  leave?: boolean;
  /** Send this to the model as the person's message. */
  say?: string;
  /** The text is one to be copied: it is shown as it is. */
  as?: "source";
  /** Go on in another conversation. */
  next?: NextConversation;
};

/** Another conversation: a new one, or a saved one by its id. */
export type NextConversation = { kind: "new" } | { kind: "saved"; id: string };

/** A slash command. */
export interface Command {
  readonly name: string;
  /** Other names for it, without a line of their own in `/help`. */
  readonly aliases?: readonly string[];
  /** Rows of `/help` and of the README table: how it is written, and what it does. */
  readonly usage: readonly { form: string; brief: string }[];
  /** Needs the interactive screen; refused in a headless run. */
  readonly needsScreen?: boolean;
  /** Runs at once while the model works, where the screen can do both; the others wait for the end of the turn. */
  readonly runsDuringTurn?: boolean;
  run(args: string, host: CommandHost): Promise<CommandResult>;
}

/** Declares a command. */
export function defineCommand(command: Command): Command {
  return command;
}

export function done(text: string, more: Partial<CommandResult> = {}): CommandResult {
  return { ok: true, text, ...more };
}

/** The line is not one that the command takes; the sentence says what it takes. A wrong use, as exit code 2 says of a run. */
export function misused(text: string): CommandResult {
  return { ok: false, text, error: new PersonError("usage", text) };
}

/** It could not be done; the sentence says why and what would work. */
export function refused(text: string): CommandResult {
  return { ok: false, text };
}
