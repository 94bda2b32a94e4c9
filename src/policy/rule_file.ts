/**
 * What a rule file says: `allow`, `ask` and `deny` lists; in the person's own file also `projects`, with lists for one
 * project each. A file that cannot be understood gives no rights; one whose deny rules cannot be, takes those of others.
 */
import { isObject, jsonFaultPlace } from "@/lib/json.ts";
import * as z from "zod";
import type { Grant } from "./grant.ts";
import { type Origin, parseRule, problemSentence, type Rule, type Verdict } from "./rule.ts";

/** Larger files are not read. */
export const RULE_FILE_BYTES_MAX = 1024 * 1024;
const RULES_MAX = 10_000;

/** The rules of one source. */
export type RuleSource = {
  readonly rules: readonly Rule[];
  readonly grants: readonly Grant[];
  /** What is wrong with it, as sentences for the person. */
  readonly problems: readonly string[];
  /** Whether it may hold deny rules that could not be read. */
  readonly broken: boolean;
};

/** A source that says nothing. */
export const NO_RULES: RuleSource = { rules: [], grants: [], problems: [], broken: false };

const VERDICTS: readonly Verdict[] = ["allow", "ask", "deny"];
const literalGrant = z.strictObject({ tool: z.string().min(1), literal: z.string().min(1) });

/** A source that could not be read. */
export function brokenSource(label: string, cause: string): RuleSource {
  return {
    ...NO_RULES,
    problems: [`Cannot read the permission rules in ${label}: ${cause}`],
    broken: true,
  };
}

/** Read the bytes of a rule file. `project`: whose part of `projects` counts besides the lists at the top. */
export function readRuleFile(bytes: Uint8Array, origin: Origin, project?: string): RuleSource {
  if (bytes.length > RULE_FILE_BYTES_MAX) {
    return brokenSource(origin.label, `it is larger than ${RULE_FILE_BYTES_MAX / 1024 / 1024} MB`);
  }
  let json: unknown;
  try {
    // The decoder drops a byte order mark.
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof TypeError) return brokenSource(origin.label, "it is not UTF-8 text");
    if (!(error instanceof SyntaxError)) throw error;
    const place = jsonFaultPlace(error);
    return brokenSource(
      origin.label,
      place === undefined ? "it is not JSON" : `it is not JSON at ${place}`,
    );
  }
  return readRules(json, origin, project);
}

/** Read what a rule file holds. */
export function readRules(json: unknown, origin: Origin, project?: string): RuleSource {
  if (!isObject(json)) {
    return brokenSource(origin.label, `an object with "allow" and "deny" lists is expected`);
  }
  const known: readonly string[] = project === undefined ? VERDICTS : [...VERDICTS, "projects"];
  const unknown = Object.keys(json).filter((key) => !known.includes(key));
  const own = merge(VERDICTS.map((verdict) => readList(json[verdict], verdict, origin)));
  const source = unknown.length === 0 ? own : {
    ...own,
    problems: [
      ...own.problems,
      `${quoted(unknown)} in ${origin.label} ${
        unknown.length > 1 ? "mean" : "means"
      } nothing; the lists are ${quoted(known)}`,
    ],
  };
  return project === undefined
    ? source
    : merge([source, readProject(json.projects, origin, project)]);
}

function readProject(projects: unknown, origin: Origin, project: string): RuleSource {
  if (projects === undefined) return NO_RULES;
  if (!isObject(projects)) return brokenSource(origin.label, `"projects" is not an object`);
  const part = Object.hasOwn(projects, project) ? projects[project] : undefined;
  if (part === undefined) return NO_RULES;
  if (!isObject(part)) {
    return brokenSource(origin.label, `the part for ${project} is not an object`);
  }
  const label = `${origin.label}, for this project`;
  return merge(VERDICTS.map((verdict) => readList(part[verdict], verdict, { ...origin, label })));
}

function readList(list: unknown, verdict: Verdict, origin: Origin): RuleSource {
  if (list === undefined) return NO_RULES;
  if (!Array.isArray(list)) {
    return {
      ...NO_RULES,
      problems: [`"${verdict}" in ${origin.label} is skipped: a list of rules is expected`],
      broken: verdict !== "allow",
    };
  }
  const entries: readonly unknown[] = list.slice(0, RULES_MAX);
  const read = entries.map((entry) => readEntry(entry, verdict, origin));
  if (list.length <= RULES_MAX) return merge(read);
  const problem =
    `"${verdict}" in ${origin.label} has ${list.length} rules; only the first ${RULES_MAX} are read`;
  return merge([...read, { ...NO_RULES, problems: [problem], broken: verdict !== "allow" }]);
}

function readEntry(entry: unknown, verdict: Verdict, origin: Origin): RuleSource {
  if (typeof entry === "string") {
    if (entry.trim() === "") return NO_RULES;
    const rule = parseRule(entry, verdict, origin);
    const { problem } = rule;
    const problems = problem === undefined
      ? []
      : [`${problemSentence(entry, problem)} (in ${origin.label})`];
    return { ...NO_RULES, rules: [rule], problems };
  }
  const grant = verdict === "allow" ? literalGrant.safeParse(entry).data : undefined;
  if (grant !== undefined) return { ...NO_RULES, grants: [{ ...grant, origin }] };
  return {
    ...NO_RULES,
    problems: [`An entry of "${verdict}" in ${origin.label} is skipped: a rule is a text`],
    // Something that was meant to be a rule: what it would have stopped is not known.
    broken: verdict !== "allow" && typeof entry === "object" && entry !== null,
  };
}

/** Several sources as one. */
export function merge(sources: readonly RuleSource[]): RuleSource {
  return {
    rules: sources.flatMap(({ rules }) => rules),
    grants: sources.flatMap(({ grants }) => grants),
    problems: sources.flatMap(({ problems }) => problems),
    broken: sources.some(({ broken }) => broken),
  };
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name.slice(0, 40)}"`).join(", ");
}
