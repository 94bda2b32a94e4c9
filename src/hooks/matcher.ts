/** Which calls a program is for: `matcher` of its declaration. */
import { tryPattern } from "@/workers/foreign_pattern.ts";
import type { HookProgram } from "./declared.ts";
import type { HookEvent } from "./event.ts";

/** Names with "|" between are those names; everything else is a regular expression. */
const NAMES = /^[\w|]+$/;
const TRIED_MAX = 500;

/** Why a matcher is none. */
export function matcherProblem(matcher: string): string | undefined {
  if (isForAll(matcher) || NAMES.test(matcher)) return undefined;
  try {
    new RegExp(matcher);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return `its matcher "${matcher}" is no regular expression`;
  }
}

function isForAll(matcher: string): boolean {
  return matcher === "" || matcher === "*";
}

/** Chooses programs. A regular expression is tried once on the same subjects: it costs a worker. */
export class HookMatchers {
  readonly #tried = new Map<string, ReturnType<typeof tryPattern>>();

  /** Those of an event that are for one of these subjects, in their order. */
  async choose(
    programs: readonly HookProgram[],
    { event, subjects }: { event: HookEvent; subjects: readonly string[] },
  ): Promise<readonly HookProgram[]> {
    const found = await Promise.all(
      programs.filter((one) => one.event === event).map((one) => this.#ifFor(one, subjects)),
    );
    return found.filter((one) => one !== undefined);
  }

  /** A program whose matcher cannot be tried may be for any, and is not run. */
  async #ifFor(
    program: HookProgram,
    subjects: readonly string[],
  ): Promise<HookProgram | undefined> {
    const { matcher, problem } = program;
    if (isForAll(matcher) || subjects.length === 0) return program;
    if (NAMES.test(matcher)) {
      const names = matcher.split("|");
      return subjects.some((subject) => names.includes(subject)) ? program : undefined;
    }
    if (matcherProblem(matcher) !== undefined) return program;
    const tried = await this.#try(matcher, subjects);
    if (tried === "none") return undefined;
    if (tried === "match") return program;
    return {
      ...program,
      problem: problem ?? `its matcher "${matcher}" takes too long to be tried`,
    };
  }

  #try(matcher: string, subjects: readonly string[]): ReturnType<typeof tryPattern> {
    const key = JSON.stringify([matcher, subjects]);
    let tried = this.#tried.get(key);
    if (tried === undefined) {
      if (this.#tried.size >= TRIED_MAX) this.#tried.clear();
      tried = tryPattern({ source: matcher, flags: "" }, subjects);
      this.#tried.set(key, tried);
    }
    return tried;
  }
}
