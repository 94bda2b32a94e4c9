/** How a slash command is declared, and what commands are lent. One file a command, one line in the list. */
import type { Event } from "@/protocol/event.ts";
import type { SettingName, Settings } from "@/settings/settings.ts";

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
};

/** A setting that is on or off. */
export type SwitchName = {
  [Name in SettingName]: Settings[Name] extends boolean ? Name : never;
}[SettingName];

/** A slash command. */
export interface Command {
  readonly name: string;
  /** Other names for it, without a line of their own in `/help`. */
  readonly aliases?: readonly string[];
  /** Rows of `/help` and of the README table: how it is written, and what it does. */
  readonly usage: readonly { form: string; brief: string }[];
  /** Needs the interactive screen; refused in a headless run. */
  readonly needsScreen?: boolean;
  run(args: string, host: CommandHost): Promise<CommandResult>;
}

/** Declares a command. */
export function defineCommand(command: Command): Command {
  return command;
}

export function done(text: string, more: Partial<CommandResult> = {}): CommandResult {
  return { ok: true, text, ...more };
}

/** It could not be done; the sentence says why and what would work. */
export function refused(text: string): CommandResult {
  return { ok: false, text };
}

/** What an undo or redo came to. */
export type UndoOutcome = { ok: true; text: string } | { ok: false; reason: string };

/** What the program lends to commands; the composition root implements it. */
export interface CommandHost {
  readonly isInteractive: boolean;
  commands(): readonly Command[];
  readonly undo: {
    undo(): Promise<UndoOutcome>;
    undoTurn(): Promise<UndoOutcome>;
    redo(): Promise<UndoOutcome>;
    list(): Promise<string>;
    show(id: string | undefined): Promise<UndoOutcome>;
  };
  readonly settings: {
    /** Every setting as a row: name, value, origin, description. */
    rows(): readonly { name: string; value: string; origin: string; brief: string }[];
    /** Change one for this run and the next; the text says what it is now. */
    set(name: string, text: string): Promise<CommandResult>;
    /** Whether a switch is on, and turning it for this session only. */
    isOn(name: SwitchName): boolean;
    turn(name: SwitchName, on: boolean): void;
  };
  readonly policy: {
    /** Rules in force and the problems of the files they come from. */
    describe(): Promise<string>;
    add(verdict: "allow" | "deny", rule: string): Promise<CommandResult>;
    reload(): Promise<CommandResult>;
    /** What would happen with a call written as TOOL(ARG), and why. */
    check(call: string): Promise<CommandResult>;
  };
  readonly trust: {
    /** What of the project waits for trust, as text; undefined when nothing does. */
    pending(): Promise<string | undefined>;
    /** Trust what `pending` showed last, and only as it was then; what is there now if nothing was shown. */
    grant(): Promise<CommandResult>;
  };
  readonly sessions: {
    list(): Promise<string>;
    exportAs(format: "markdown" | "json", file: string | undefined): Promise<CommandResult>;
    title(): string;
    retitle(title: string): Promise<CommandResult>;
  };
  readonly model: {
    status(): Promise<string>;
    /** The models of the connected provider. Throws ProviderError. */
    list(): Promise<string>;
    /** `/connect` with its words. */
    connect(words: readonly string[]): Promise<CommandResult>;
  };
  /** Commands that live: those with a handle. */
  readonly ps: {
    list(): Promise<string>;
    tail(session: string): Promise<CommandResult>;
    stop(session: string): Promise<CommandResult>;
  };
  /** The process behind run_python. */
  readonly vm: {
    status(): string;
    reset(): Promise<CommandResult>;
    stop(): Promise<CommandResult>;
  };
  /** What holds commands now, as a table; finds out first where that is not known yet. */
  readonly sandbox: { describe(): Promise<string> };
  readonly transcript: {
    /** What the model said last, as it wrote it; undefined before it has said anything. */
    lastReply(): string | undefined;
    /** Put a text on the person's clipboard, or into a file where that cannot be; the answer says which. */
    copy(text: string): Promise<CommandResult>;
    /** Show events on the screen alone: they are neither said nor logged. */
    show(events: readonly Event[]): void;
    /** Open all of it in the viewer; absent where there is none. */
    open?(): void;
  };
  readonly mode: {
    automode(): boolean;
    setAutomode(on: boolean): void;
    /** Whether nothing may be changed. */
    planmode(): boolean;
    setPlanmode(on: boolean): void;
  };
}
