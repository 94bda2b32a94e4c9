/**
 * Rules that name a place through a link (`/tmp` on macOS, a home that was moved) also mean the place it leads to,
 * because calls are decided about by their real paths.
 */
import { escapeGlob } from "./glob.ts";
import { literalDirectory, pathForms, type RulePlace } from "./path_rule.ts";
import type { Rule } from "./rule.ts";

/** Gives the real path of a directory, or undefined when it is not there. */
export type RealPath = (path: string) => Promise<string | undefined>;

/**
 * The rules, and for each that names a linked place one more with the real one. A link inside the workspace adds nothing
 * to what is allowed: whoever wrote the workspace made it.
 */
export async function withRealPlaces(
  rules: readonly Rule[],
  place: RulePlace,
  realPath: RealPath,
): Promise<readonly Rule[]> {
  const all: Rule[] = [];
  for (const rule of rules) {
    all.push(rule);
    const real = await realPattern(rule, place, realPath);
    if (real !== undefined) all.push({ ...rule, pattern: real });
  }
  return all;
}

async function realPattern(
  rule: Rule,
  place: RulePlace,
  realPath: RealPath,
): Promise<string | undefined> {
  if (rule.pattern === undefined || rule.problem !== undefined) return undefined;
  const found = literalDirectory(rule.pattern, place);
  if (found === undefined || found.directory === "") return undefined;
  const isInside = pathForms(found.directory, place).relative !== undefined;
  if (rule.verdict === "allow" && (isInside || !found.absolute)) return undefined;
  const real = await realPath(found.directory);
  return real === undefined || real === found.directory ? undefined : escapeGlob(real) + found.rest;
}
