/**
 * The programs that files declare, in the shape that other harnesses share: event, matcher, commands. What is declared and
 * cannot be run stays in the list with its problem: a program that was to refuse something must not be missing in silence.
 */
import { isObject } from "@/lib/json.ts";
import { parsedJsonc } from "@/lib/jsonc.ts";
import { nearest } from "@/lib/nearest.ts";
import { FOREIGN_EVENTS, HOOK_EVENTS, type HookEvent } from "./event.ts";
import { matcherProblem } from "./matcher.ts";

/** Whose word a file is. */
export type HookOrigin = "project" | "person";

/** A file that declares programs. */
export type HookFile = { label: string; origin: HookOrigin; text: string };

/** One program, and when it is run. */
export type HookProgram = {
  event: HookEvent;
  /** As written; "" is every one. */
  matcher: string;
  /** A line for the shell, or a program where `args` are there. */
  command: string;
  args?: readonly string[];
  timeoutS: number;
  /** What happens with a call where it could not be run, or was not understood. */
  onError: "ask" | "allow";
  /** Whether it runs in the sandbox, and nowhere else. */
  isInside: boolean;
  label: string;
  origin: HookOrigin;
  /** Why it cannot be run. */
  problem?: string;
};

/** `problems`: what the person should know of the file itself. */
export type DeclaredHooks = { programs: readonly HookProgram[]; problems: readonly string[] };

/** What a program gets without a "timeout", and at most, in seconds. */
export const TIMEOUT_S = 60;
const TIMEOUT_S_MAX = 3_600;
const PROGRAMS_MAX = 40;

/** Read one file. Never throws for what it says. */
export function readHooks(file: HookFile): DeclaredHooks {
  const { label } = file;
  const json = parsedJsonc(file.text);
  if (!isObject(json) || !isObject(json.hooks ?? {})) {
    return unreadable(file, `it is not JSON with an object "hooks" in it`);
  }
  const programs: HookProgram[] = [];
  const problems: string[] = [];
  for (const [name, groups] of Object.entries(json.hooks ?? {})) {
    const event = HOOK_EVENTS.find((one) => one === name);
    if (event === undefined) problems.push(`${label}: ${unknownEvent(name)}`);
    else programs.push(...programsOf(event, groups, file));
  }
  if (programs.length > PROGRAMS_MAX) {
    return unreadable(file, `it declares more than ${PROGRAMS_MAX} programs`);
  }
  return { programs, problems };
}

/** A file that cannot be read may have refused anything: every call is asked about. */
export function unreadable({ label, origin }: Omit<HookFile, "text">, why: string): DeclaredHooks {
  const problem = `${label} cannot be read: ${why}`;
  return {
    programs: [{ ...blank({ label, origin }, "PreToolUse"), command: label, problem }],
    problems: [problem],
  };
}

function programsOf(event: HookEvent, groups: unknown, file: HookFile): readonly HookProgram[] {
  const broken = (problem: string) => [{ ...blank(file, event), command: file.label, problem }];
  if (!Array.isArray(groups)) return broken(`"${event}" is no list`);
  return groups.flatMap((group: unknown) => {
    if (!isObject(group) || !Array.isArray(group.hooks)) {
      return broken(`an entry of "${event}" has no list "hooks"`);
    }
    const { matcher = "" } = group;
    if (typeof matcher !== "string") return broken(`a matcher of "${event}" is no text`);
    return group.hooks.map((entry: unknown) => programOf(entry, { event, matcher, file }));
  });
}

type Around = { event: HookEvent; matcher: string; file: HookFile };

function programOf(entry: unknown, { event, matcher, file }: Around): HookProgram {
  const common = { ...blank(file, event), matcher };
  if (!isObject(entry)) return { ...common, command: file.label, problem: "it is no object" };
  const { type = "command", command, args, timeout, onError, sandbox } = entry;
  const program: HookProgram = {
    ...common,
    command: typeof command === "string" ? command : "",
    ...(isTexts(args) && { args }),
    ...(isSeconds(timeout) && { timeoutS: Math.min(timeout, TIMEOUT_S_MAX) }),
    ...(onError === "allow" && { onError }),
    isInside: common.isInside || sandbox === true,
  };
  const problem = type !== "command"
    ? `its type is ${JSON.stringify(type)}, and only commands are run`
    : program.command.trim() === ""
    ? `it has no "command"`
    : args !== undefined && program.args === undefined
    ? `its "args" are no list of texts`
    : timeout !== undefined && !isSeconds(timeout)
    ? `its "timeout" is no number of seconds`
    : matcherProblem(matcher);
  return problem === undefined ? program : { ...program, problem };
}

function blank({ label, origin }: Omit<HookFile, "text">, event: HookEvent) {
  return {
    event,
    matcher: "",
    timeoutS: TIMEOUT_S,
    onError: "ask" as const,
    isInside: origin === "project",
    label,
    origin,
  };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isSeconds(value: unknown): value is number {
  return typeof value === "number" && value > 0;
}

function unknownEvent(name: string): string {
  if (FOREIGN_EVENTS.includes(name)) {
    return `programs of "${name}" are not run, harness has no such moment`;
  }
  const meant = nearest(name, HOOK_EVENTS);
  const hint = meant === undefined ? `it has ${HOOK_EVENTS.join(", ")}` : `did you mean ${meant}?`;
  return `"${name}" is no event of harness and does nothing; ${hint}`;
}
