/**
 * The rules of a profile, `policy.toml`: `default`, and `[[rules]]` in the order in which they are tried. A file that is not
 * understood to the last key is an error with file and line: nobody may believe in a rule that is not there.
 */
import { isObject } from "@/lib/json.ts";
import { clipEnd } from "@/lib/clip.ts";
import { failAt, parsedToml, unknownKey } from "@/lib/toml.ts";
import { entryPlaces } from "@/lib/toml_places.ts";
import * as z from "zod";
import type { OrderedRules } from "./ordered.ts";
import { type Rule, ruleProblem } from "./rule.ts";

const verdict = z.enum(["allow", "ask", "deny"]);
const filled = z.string().refine((text) => text.trim() !== "");
const names = z.union([filled.transform((name) => [name]), z.array(filled).min(1)]);
const tools = z.union([z.string().transform((name) => [name]), z.array(z.string()).min(1)])
  .refine((all) => all.every((name) => /^[\w.*?[\]-]+$/.test(name)));

const entrySchema = z.strictObject({
  tools: tools.optional(),
  paths: names.optional(),
  command: names.optional(),
  when: z.record(z.string(), z.string()).optional(),
  then: verdict,
  reason: filled.optional(),
});
type Entry = z.infer<typeof entrySchema>;

const ENTRY_KEYS = Object.keys(entrySchema.shape);
const FILE_KEYS = ["default", "rules"];
const VERDICTS = `"allow", "ask" or "deny"`;
/** What each key takes. */
const EXPECTED: Readonly<Record<string, string>> = {
  default: VERDICTS,
  rules: "tables, each under [[rules]]",
  tools: `the name of a tool or a list of them, such as "run_cmd" or "mcp__docs__*"`,
  paths: `a path pattern or a list of them, such as "src/**" or "~/notes/**"`,
  command: `a command pattern or a list of them, such as "git push"`,
  when: `texts by the name of an argument, such as { action = "stop" }`,
  then: VERDICTS,
  reason: "a sentence",
};

/** Read it. `label` is what the person is told, a path. Throws PersonError of kind "settings" with file and line. */
export function readPolicyToml(text: string, label: string): OrderedRules {
  const table = parsedToml(text, label);
  const places = entryPlaces(text, "rules");
  const fail = (line: number, problem: string): never => failAt(label, line, problem);
  for (const key of Object.keys(table)) {
    if (!FILE_KEYS.includes(key)) fail(places.line(key), unknownKey(key, FILE_KEYS, "the file"));
  }
  const otherwise = verdict.optional().safeParse(table.default);
  if (!otherwise.success) fail(places.line("default"), expected("default", table.default));
  const written = table.rules ?? [];
  if (!Array.isArray(written) || !written.every(isObject)) {
    return fail(places.line("rules"), expected("rules", written));
  }
  const entries = written.map((entry, index) => {
    const place = places.entry(index);
    const problem = entryProblem(entry);
    if (problem !== undefined) fail(place.line(problem.key), problem.sentence);
    return rulesOf(entrySchema.parse(entry), `${label}:${place.line(undefined)}`);
  });
  if (otherwise.data === undefined) return { entries };
  const from = `${label}:${places.line("default")}`;
  return { entries, otherwise: { verdict: otherwise.data, origin: originOf(from) } };
}

type Problem = { key: string | undefined; sentence: string };

/** The first thing that is wrong with an entry. */
function entryProblem(entry: Record<string, unknown>): Problem | undefined {
  const unknown = Object.keys(entry).find((key) => !ENTRY_KEYS.includes(key));
  if (unknown !== undefined) {
    return { key: unknown, sentence: unknownKey(unknown, ENTRY_KEYS, "a rule") };
  }
  const read = entrySchema.safeParse(entry);
  if (!read.success) {
    const key = String(read.error.issues[0]?.path[0] ?? "");
    const isMissing = !Object.hasOwn(entry, key);
    return {
      key: isMissing ? undefined : key,
      sentence: isMissing
        ? `the rule says no "${key}"; it is ${EXPECTED[key] ?? ""}`
        : expected(key, entry[key]),
    };
  }
  return meaningProblem(read.data);
}

function meaningProblem({ tools, paths, command }: Entry): Problem | undefined {
  if (paths !== undefined && command !== undefined) {
    const sentence = `a call has paths or a command, never both: write two rules`;
    return { key: "command", sentence };
  }
  if (tools === undefined && paths === undefined && command === undefined) {
    return { key: undefined, sentence: `the rule is about nothing: name tools, paths or command` };
  }
  const key = paths === undefined ? "command" : "paths";
  const bad = (paths ?? command ?? []).some((pattern) =>
    ruleProblem(`x(${pattern})`) !== undefined
  );
  return bad ? { key, sentence: `"${key}" is too long for a rule` } : undefined;
}

function rulesOf(entry: Entry, from: string): readonly Rule[] {
  const { tools = ["*"], paths, command, when, then, reason } = entry;
  const about = paths !== undefined ? "path" : command !== undefined ? "command" : undefined;
  const wanted = Object.entries(when ?? {}).map(([name, value]) => ` when ${name} = "${value}"`);
  return tools.flatMap((tool) =>
    (paths ?? command ?? [undefined]).map((pattern) => ({
      text: `${tool}${pattern === undefined ? "" : `(${pattern})`}${wanted.join(" and")}`,
      verdict: then,
      tool,
      ...(pattern === undefined ? {} : { pattern }),
      ...(about === undefined ? {} : { about }),
      ...(when === undefined ? {} : { when }),
      ...(reason === undefined ? {} : { reason }),
      origin: originOf(from),
    }))
  );
}

function originOf(label: string): Rule["origin"] {
  return { kind: "profile", label };
}

function expected(key: string, value: unknown): string {
  const shown = clipEnd(JSON.stringify(value) ?? String(value), 60);
  return `"${key}" is ${shown}; it is ${EXPECTED[key] ?? "something else"}`;
}
