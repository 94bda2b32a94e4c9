/** The rules in force for one project: read from their files, added to by answers, asked by the guards. */
import { join } from "@/lib/path.ts";
import { PersonError } from "@/protocol/error.ts";
import type { Approval, Decision, GuardedCall, Reach } from "@/protocol/policy.ts";
import { readBounded } from "@/lib/bounded_file.ts";
import { firstFew } from "@/lib/first_few.ts";
import type { RuleSet } from "./gate.ts";
import { escapeGlob } from "./glob.ts";
import type { Grant } from "./grant.ts";
import type { RulePlace } from "./path_rule.ts";
import type { OrderedRules } from "./ordered.ts";
import { PROJECT_RULE_FILES } from "./project_files.ts";
import { withRealPlaces } from "./real_places.ts";
import { type Origin, parseRule, problemSentence, type Rule, type Verdict } from "./rule.ts";
import {
  brokenSource,
  NO_RULES,
  readRuleFile,
  RULE_FILE_BYTES_MAX,
  type RuleSource,
} from "./rule_file.ts";
import { saveRule } from "./rule_save.ts";
import type { Trust } from "./trust.ts";
import { Verdicts } from "./verdicts.ts";

/** What a policy is made of. */
export type PolicyParts = {
  /** The person's permissions.json, in the state directory. */
  personalFile: string;
  /** Real path of the project: what rules for one project are kept under. */
  project: string;
  trust: Trust;
  /** Where calls happen now; directories may be added while the program runs. */
  place(): RulePlace;
  /** The setting PERMISSIONS_ENABLED: off means that no rule is consulted. */
  isEnabled?(): boolean;
  /** Rules given as options for this run. */
  flags?: { allow?: readonly string[]; deny?: readonly string[] };
  /** The rules of the profile of this run. The other rules can only be stricter than what these allow. */
  profile?: OrderedRules;
  /** Whether a sandbox was proven: without one, a call that asks to run outside it asks for nothing special. */
  isSandboxed?(): boolean;
};

/** A rule as /perms lists it. */
export type ListedRule = {
  text: string;
  verdict: Verdict;
  /** Where it comes from: a file, an option, who added it. */
  from: string;
  /** Why it does nothing, where it does nothing. */
  idle?: string;
};

/** Rules of one project. Decisions are pure; only `load`, `reload`, `remember` and `add` touch files. */
export class Policy {
  readonly #parts: PolicyParts;
  readonly #session: { rules: Rule[]; grants: Grant[] } = { rules: [], grants: [] };
  #personal: RuleSource = NO_RULES;
  #project: RuleSource = NO_RULES;
  #isProjectTrusted = false;
  #set: RuleSet = { rules: [], grants: [] };
  /** The rules of profiles; the first are those of this run. */
  readonly #beside: Beside[];
  readonly #verdicts: Verdicts;

  private constructor(parts: PolicyParts) {
    this.#parts = parts;
    const own: Beside = { written: parts.profile ?? NO_ORDER, read: NO_ORDER };
    this.#beside = [own];
    this.#verdicts = this.#verdictsOf(own);
  }

  /** Read all rules. Never throws for what the files hold: see `problems`. */
  static async load(parts: PolicyParts): Promise<Policy> {
    const policy = new Policy(parts);
    await policy.reload();
    return policy;
  }

  /** Read the files again, and what is trusted of the project. */
  async reload(): Promise<void> {
    const { personalFile, project, trust } = this.#parts;
    this.#personal = await readSource(
      personalFile,
      { kind: "personal", label: personalFile },
      project,
    )
      .then(({ source }) => source ?? NO_RULES);
    this.#project = NO_RULES;
    this.#isProjectTrusted = false;
    for (const name of PROJECT_RULE_FILES) {
      const path = join(project, name);
      if (path === personalFile) continue;
      const { source, bytes } = await readSource(path, { kind: "project", label: name });
      if (source === undefined) continue;
      this.#project = source;
      this.#isProjectTrusted = bytes !== undefined && trust.isTrusted(project, name, bytes);
      break;
    }
    await this.#combine();
  }

  /** What is wrong with the rule files, as sentences for the person. */
  get problems(): readonly string[] {
    const consequences = [
      ...(this.#personal.broken
        ? [
          "What the person's own file denies is not known, so no rule allows anything: everything asks",
        ]
        : []),
      ...(this.#project.broken
        ? [
          "What the project's file denies is not known, so none of its rules allows anything, and everything asks",
        ]
        : []),
    ];
    return [
      ...firstFew(this.#personal.problems, "problems in your own rules"),
      ...firstFew(this.#project.problems, "problems in the project's rules"),
      ...this.#flagProblems(),
      ...consequences,
    ];
  }

  /** What denies a call: a deny rule, or the default of the profile where nothing else speaks. */
  denied(call: GuardedCall): Decision | undefined {
    return this.#verdicts.denied(call);
  }

  /** What the ask rules say about a call. Where a file was not understood whole, everything is asked about. */
  asked(call: GuardedCall): Decision | undefined {
    return this.#verdicts.asked(call);
  }

  /** What the allow rules and grants say about a call; where none covers it, the default of the profile. */
  allowed(call: GuardedCall): Decision | undefined {
    return this.#verdicts.allowed(call);
  }

  /** Why no allow rule covers a call that some come near to; a rule that waits for trust is named. */
  whyNotAllowed(call: GuardedCall): string | undefined {
    return this.#verdicts.whyNotAllowed(call);
  }

  /** What an "always" about a call could cover. Nothing where a rule would ask again anyway. */
  reachesOf(call: GuardedCall): readonly Reach[] {
    return this.#verdicts.reachesOf(call);
  }

  /** The same rules beside those of another profile, or of none. What changes here changes there. */
  async under(profile: OrderedRules | undefined): Promise<Verdicts> {
    const beside: Beside = { written: profile ?? NO_ORDER, read: NO_ORDER };
    this.#beside.push(beside);
    await this.#combine();
    return this.#verdictsOf(beside);
  }

  #verdictsOf(beside: Beside): Verdicts {
    const { place, isSandboxed } = this.#parts;
    return new Verdicts({
      place,
      isOn: () => this.#isOn(),
      isSandboxed: () => isSandboxed?.() ?? false,
      inForce: () => ({
        set: this.#set,
        profile: beside.read,
        waiting: this.#waiting(),
        broken: this.#personal.broken ? "own" : this.#project.broken ? "project" : undefined,
      }),
    });
  }

  /** Whether the person's own file, options or answers allow exactly this subject of a tool; no file of the project counts. */
  personAllows(tool: string, literal: string): boolean {
    if (!this.#isOn()) return false;
    const isTheirs = ({ origin }: { origin: Origin }) => origin.kind !== "project";
    const isExact = ({ verdict, pattern }: Rule) =>
      verdict === "allow" && [literal, escapeGlob(literal)].includes(pattern?.trim() ?? "");
    return this.#set.grants.some((grant) =>
      isTheirs(grant) && grant.tool === tool && grant.literal === literal
    ) || this.#set.rules.some((rule) => isTheirs(rule) && rule.tool === tool && isExact(rule));
  }

  /** Remember an "always". It counts at once. Throws when it cannot be written down; then it does not count. */
  async remember({ reach, scope }: Extract<Approval, { answer: "always" }>): Promise<void> {
    if (scope !== "run") return await this.#save(reach.rule, "allow", scope);
    const origin: Origin = { kind: "session", label: "an answer in this run" };
    if (typeof reach.rule === "string") {
      this.#session.rules.push(parseRule(reach.rule, "allow", origin));
    } else this.#session.grants.push({ ...reach.rule, origin });
    await this.#combine();
  }

  /** Add a rule to the person's file, for this project or for all. Throws when it is no rule or cannot be saved. */
  async add(text: string, verdict: Verdict, scope: "project" | "everywhere"): Promise<void> {
    const { problem } = parseRule(text, verdict, { kind: "personal", label: "" });
    if (problem !== undefined) throw new PersonError("usage", problemSentence(text, problem));
    await this.#save(text.trim(), verdict, scope);
  }

  /** Add rules for as long as the returned function is not called; `label` says who wants them. */
  async addForNow(
    label: string,
    texts: readonly string[],
    verdict: Verdict,
  ): Promise<() => Promise<void>> {
    const origin: Origin = { kind: "session", label };
    const added = texts.map((text) => parseRule(text, verdict, origin));
    this.#session.rules.push(...added);
    await this.#combine();
    return async () => {
      this.#session.rules.splice(
        0,
        Infinity,
        ...this.#session.rules.filter((rule) => !added.includes(rule)),
      );
      await this.#combine();
    };
  }

  /** All rules, those that do nothing included, in the order of their places. */
  rulesInForce(): readonly ListedRule[] {
    const { entries = [], otherwise } = this.#parts.profile ?? {};
    const rules = [...this.#ownRules(), ...entries.flat()];
    const grants = [...this.#session.grants, ...this.#personal.grants, ...this.#project.grants];
    return [
      ...rules.map((rule) => ({
        text: rule.text,
        verdict: rule.verdict,
        from: rule.origin.label,
        ...idle(this.#whyIdle(rule)),
      })),
      ...grants.map(({ tool, literal, origin }) => ({
        text: `${tool}, exactly: ${literal}`,
        verdict: "allow" as const,
        from: origin.label,
        ...idle(this.#whyIdle({ verdict: "allow", origin })),
      })),
      ...(otherwise === undefined ? [] : [{
        text: "whatever no rule speaks about",
        verdict: otherwise.verdict,
        from: otherwise.origin.label,
        ...idle(this.#whyIdle(otherwise)),
      }]),
    ];
  }

  #whyIdle(rule: Counted): string | undefined {
    if (!this.#isOn()) return "PERMISSIONS_ENABLED is off";
    if (rule.problem !== undefined) return rule.problem.replaceAll("-", " ");
    if (rule.verdict !== "allow" || rule.origin.kind === "session") return undefined;
    if (this.#personal.broken) return "the person's own file is not understood whole";
    if (rule.origin.kind !== "project") return undefined;
    if (this.#project.broken) return "its file is not understood whole";
    return this.#isProjectTrusted ? undefined : "the project's file is not trusted as it is now";
  }

  /** Rules of the project that only its not being trusted keeps out. */
  #waiting(): readonly Rule[] {
    if (this.#isProjectTrusted || this.#project.broken || this.#personal.broken) return [];
    return this.#project.rules;
  }

  async #combine(): Promise<void> {
    const rules = this.#ownRules().filter((rule) => this.#counts(rule));
    const grants = [...this.#session.grants, ...this.#personal.grants, ...this.#project.grants]
      .filter((grant) => this.#counts({ ...grant, verdict: "allow" }));
    const place = this.#parts.place();
    this.#set = { rules: await withRealPlaces(rules, place, realPath), grants };
    for (const beside of this.#beside) {
      const entries = await Promise.all(
        beside.written.entries.map((entry) => withRealPlaces(entry, place, realPath)),
      );
      beside.read = { ...beside.written, entries };
    }
  }

  /** All rules but those of the profile, which have an order of their own. */
  #ownRules(): readonly Rule[] {
    const files = [...this.#personal.rules, ...this.#project.rules];
    return [...this.#session.rules, ...this.#flagRules(), ...files];
  }

  #counts(rule: Counted): boolean {
    if (rule.problem !== undefined) return false;
    if (rule.verdict !== "allow" || rule.origin.kind === "session") return true;
    if (this.#personal.broken) return false;
    return rule.origin.kind !== "project" || (this.#isProjectTrusted && !this.#project.broken);
  }

  #flagRules(): readonly Rule[] {
    const { allow = [], deny = [] } = this.#parts.flags ?? {};
    return [
      ...allow.map((text) => parseRule(text, "allow", { kind: "flag", label: "--allow" })),
      ...deny.map((text) => parseRule(text, "deny", { kind: "flag", label: "--deny" })),
    ];
  }

  #flagProblems(): readonly string[] {
    return this.#flagRules().flatMap(({ text, problem }) =>
      problem === undefined ? [] : [problemSentence(text, problem)]
    );
  }

  async #save(
    rule: Reach["rule"],
    verdict: Verdict,
    scope: "project" | "everywhere",
  ): Promise<void> {
    const { personalFile, project } = this.#parts;
    await saveRule(personalFile, { rule, verdict, ...(scope === "project" ? { project } : {}) });
    await this.reload();
  }

  #isOn(): boolean {
    return this.#parts.isEnabled?.() ?? true;
  }
}

const NO_ORDER: OrderedRules = { entries: [] };

/** The rules of a profile: as they were written, and with the real places of their paths. */
type Beside = { readonly written: OrderedRules; read: OrderedRules };

/** What decides whether a rule or grant counts. */
type Counted = Pick<Rule, "verdict" | "origin" | "problem">;

function idle(why: string | undefined): { idle?: string } {
  return why === undefined ? {} : { idle: why };
}

type ReadSource = { source?: RuleSource; bytes?: Uint8Array };

async function readSource(path: string, origin: Origin, project?: string): Promise<ReadSource> {
  const file = await readBounded(path, RULE_FILE_BYTES_MAX);
  switch (file.kind) {
    case "absent":
      return {};
    case "refused":
      return { source: brokenSource(origin.label, file.cause) };
    case "bytes":
      return { source: readRuleFile(file.bytes, origin, project), bytes: file.bytes };
    default:
      return file satisfies never;
  }
}

async function realPath(path: string): Promise<string | undefined> {
  try {
    return await Deno.realPath(path);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
