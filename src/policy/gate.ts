/**
 * What rules say about a call: deny before ask before allow, and nothing where none speaks. Pure: no file is touched.
 * What cannot be checked against a deny rule is never passed over.
 */
import type { Decision } from "@/protocol/policy.ts";
import { compileDeny, type DenyPattern, type Extent, reaches } from "./command_reach.ts";
import { type AllowPattern, compileAllow, uncovered } from "./command_rule.ts";
import { callNoun, type Facts, UNSANDBOXED } from "./facts.ts";
import { compileGlob, hasWildcard, matchGlob, thenAny } from "./glob.ts";
import { type Grant, isGranted } from "./grant.ts";
import { compilePath, matchesPath, pathForms, type RulePlace, spelledPath } from "./path_rule.ts";
import { because, isAbout, named, type Rule, type Verdict } from "./rule.ts";
import { analyse, type CommandLine } from "./shell.ts";
import { allowsUrl, reachesUrl } from "./url_rule.ts";

/** What decides: rules, and remembered approvals of one exact call. */
export type RuleSet = { readonly rules: readonly Rule[]; readonly grants: readonly Grant[] };

/** What the rules say: deny, else ask, else allow; undefined where none speaks. */
export function decideByRules(set: RuleSet, facts: Facts, place: RulePlace): Decision | undefined {
  return denied(set, facts, place) ?? asked(set, facts, place) ??
    allowed(set, facts, place).decision;
}

/**
 * What the deny rules say. A line that is or begins with a denied command is refused. One that has it further on is asked
 * about, whatever else would allow it, and so is one that cannot be checked; beyond our limits it is refused.
 */
export function denied(set: RuleSet, facts: Facts, place: RulePlace): Decision | undefined {
  const rules = rulesAbout(set, facts, "deny");
  const hits = rules.map((rule) => ({ rule, hit: reachOf(rule, facts, place) }));
  const sure = hits.find(({ hit }) => hit === "yes");
  if (sure !== undefined) {
    return {
      verdict: "deny",
      by: "rule",
      reason: `${named(sure.rule)} denies ${callNoun(facts.subject)}${because(sure.rule)}`,
    };
  }
  const [first] = rules;
  const blind = first === undefined ? undefined : blindSpot(facts);
  const part = hits.find(({ hit }) => hit === "part");
  if (part !== undefined && blind?.overCap !== true) {
    const reason = `${named(part.rule)} denies a part of ${callNoun(facts.subject)}${
      because(part.rule)
    }`;
    return { verdict: "ask", by: "rule", reason };
  }
  if (first !== undefined && blind !== undefined) {
    return {
      verdict: blind.overCap ? "deny" : "ask",
      by: "rule",
      reason: `${named(first)} cannot be checked against this command: ${blind.why}`,
    };
  }
  const maybe = hits.find(({ hit }) => hit === "maybe");
  if (maybe === undefined) return undefined;
  return {
    verdict: "ask",
    by: "rule",
    reason: `${named(maybe.rule)} may deny ${
      callNoun(facts.subject)
    }: it is only known when it runs`,
  };
}

/** What the ask rules say. */
export function asked(set: RuleSet, facts: Facts, place: RulePlace): Decision | undefined {
  const rules = rulesAbout(set, facts, "ask");
  const rule = rules.find((candidate) => reachOf(candidate, facts, place) !== "no") ??
    (blindSpot(facts) === undefined ? undefined : rules[0]);
  if (rule === undefined) return undefined;
  return {
    verdict: "ask",
    by: "rule",
    reason: `${named(rule)} asks about ${callNoun(facts.subject)}${because(rule)}`,
  };
}

/** What the allow rules and grants say, and, when they do not allow it, why not. */
export function allowed(
  set: RuleSet,
  facts: Facts,
  place: RulePlace,
): { decision?: Decision; why?: string } {
  const grant = set.grants.find((candidate) => isGranted(candidate, facts, place));
  if (grant !== undefined) {
    const reason = `an earlier "always" covers exactly ${
      callNoun(facts.subject)
    } (${grant.origin.label})`;
    return { decision: { verdict: "allow", by: "grant", reason } };
  }
  const rules = rulesAbout(set, facts, "allow");
  const single = rules.find((rule) => coverage([rule], facts, place) === undefined);
  if (single !== undefined) {
    const by = single.origin.kind === "session" ? "grant" : "rule";
    const reason = `${named(single)} allows ${callNoun(facts.subject)}${because(single)}`;
    return { decision: { verdict: "allow", by, reason } };
  }
  if (rules.length === 0) return {};
  const why = coverage(rules, facts, place);
  if (why !== undefined) return { why };
  const reason = `${rules.length} rules together allow every part of ${callNoun(facts.subject)}`;
  return { decision: { verdict: "allow", by: "rule", reason } };
}

function rulesAbout(set: RuleSet, facts: Facts, verdict: Verdict): readonly Rule[] {
  const rules = set.rules.filter((rule) =>
    rule.verdict === verdict && rule.problem === undefined && fits(rule, facts)
  );
  if (!facts.leaves) return rules.filter((rule) => isAbout(rule, facts.names));
  // "No question" never means "outside the sandbox": only a rule that says so by name lets a call out.
  if (verdict === "allow") return rules.filter((rule) => rule.tool === UNSANDBOXED);
  return rules.filter((rule) => isAbout(rule, [...facts.names, UNSANDBOXED]));
}

/** Whether a call has the subject and the arguments that a rule wants; what it cannot see it does not speak about. */
function fits({ about, when }: Rule, { subject, input }: Facts): boolean {
  if (about !== undefined && about !== subject.kind) return false;
  return Object.entries(when ?? {}).every(([name, value]) =>
    Object.hasOwn(input, name) && input[name] === value
  );
}

function reachOf(rule: Rule, facts: Facts, place: RulePlace): Extent {
  const { pattern } = rule;
  if (pattern === undefined) return "yes";
  const { subject, scope } = facts;
  if (scope !== undefined && matchesText(pattern, scope)) return "yes";
  switch (subject.kind) {
    case "command":
      return reaches(denyPattern(rule, pattern), lineOf(facts, subject.text));
    case "path": {
      const compiled = compilePath(pattern, place, true);
      const paths = [...subject.paths, ...facts.spelled.map((path) => spelledPath(path, place))];
      return paths.some((path) => matchesPath(compiled, pathForms(path, place))) ? "yes" : "no";
    }
    case "url":
      return reachesUrl(pattern, subject.text) ? "yes" : "no";
    case "text":
      return matchesText(pattern, subject.text) ? "yes" : "no";
    case "none":
      // A rule for exactly this tool was meant to stop something of it; which calls, its declaration does not tell.
      return hasWildcard(compileGlob(rule.tool)) ? "no" : "maybe";
    default:
      return subject satisfies never;
  }
}

/** Why a command cannot be checked against deny rules. */
function blindSpot(facts: Facts): { why: string; overCap: boolean } | undefined {
  const { subject } = facts;
  if (subject.kind !== "command") return undefined;
  const { unclear, opaque: [opaque] } = lineOf(facts, subject.text);
  if (unclear !== undefined) return unclear;
  return opaque === undefined ? undefined : { why: opaque, overCap: false };
}

/** Why these allow rules do not cover a call, or undefined when they do. */
function coverage(rules: readonly Rule[], facts: Facts, place: RulePlace): string | undefined {
  const { subject } = facts;
  if (subject.kind === "path") return pathCoverage(rules, facts, place);
  if (rules.some(({ pattern }) => pattern === undefined)) return undefined;
  const isCovered = (matches: (pattern: string) => boolean) =>
    rules.some(({ pattern }) => pattern !== undefined && matches(pattern));
  if (facts.scope !== undefined) {
    const { scope } = facts;
    if (isCovered((pattern) => matchesText(pattern, scope))) return undefined;
  }
  switch (subject.kind) {
    case "command":
      return uncovered(lineOf(facts, subject.text), rules.flatMap(allowPattern));
    case "url":
      return isCovered((pattern) => allowsUrl(pattern, subject.text))
        ? undefined
        : "no rule covers this address";
    case "text":
      return isCovered((pattern) => matchesText(pattern, subject.text))
        ? undefined
        : "no rule covers this text";
    case "none":
      return "only a rule without a pattern covers this tool";
    default:
      return subject satisfies never;
  }
}

function pathCoverage(
  rules: readonly Rule[],
  { subject, outside }: Facts,
  place: RulePlace,
): string | undefined {
  if (subject.kind !== "path") return "it names no path";
  const forms = subject.paths.map((path) => pathForms(path, place));
  // A call that is outside although its paths read as inside is taken as outside with all of them.
  const allOutside = outside && forms.every((form) => !form.outside);
  const compiled = rules.map(({ pattern }) =>
    pattern === undefined ? undefined : compilePath(pattern, place)
  );
  const missed = forms.find((form) => {
    const isOutside = form.outside || allOutside;
    return !compiled.some((pattern) => {
      if (pattern === undefined) return !isOutside;
      return matchesPath(pattern, form) && (!isOutside || pattern.namesPlace);
    });
  });
  if (missed === undefined) return forms.length === 0 ? "it names no path" : undefined;
  const shown = missed.relative ?? missed.absolute;
  return missed.outside
    ? `"${shown}" is outside the workspace, and no rule names that place`
    : `no rule covers "${shown}"`;
}

function matchesText(pattern: string, text: string): boolean {
  const glob = compileGlob(pattern.trim().normalize("NFC"));
  const subject = text.trim().normalize("NFC");
  if (pattern.trim() === text.trim() || matchGlob(glob, subject)) return true;
  return !hasWildcard(glob) && matchGlob(thenAny([...glob, ...compileGlob(" ")]), subject);
}

const allowPatterns = new WeakMap<Rule, AllowPattern>();
const denyPatterns = new WeakMap<Rule, DenyPattern>();

function allowPattern(rule: Rule): readonly AllowPattern[] {
  if (rule.pattern === undefined) return [];
  const known = allowPatterns.get(rule) ?? compileAllow(rule.pattern);
  allowPatterns.set(rule, known);
  return [known];
}

function denyPattern(rule: Rule, pattern: string): DenyPattern {
  const known = denyPatterns.get(rule) ?? compileDeny(pattern);
  denyPatterns.set(rule, known);
  return known;
}

const lines = new WeakMap<Facts, CommandLine>();

/** The analysis of a call's command, made once for all the rules that ask about it. */
function lineOf(facts: Facts, text: string): CommandLine {
  const known = lines.get(facts) ?? analyse(text);
  lines.set(facts, known);
  return known;
}
