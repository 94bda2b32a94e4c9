/** The `permissions.*` vectors against src/policy. */
import { join } from "node:path";
import { z } from "zod";
import type { GuardedCall } from "@/protocol/policy.ts";
import type { Subject, ToolSpec } from "@/protocol/tool.ts";
import { factsOf } from "@/policy/facts.ts";
import { decideByRules } from "@/policy/gate.ts";
import { pending } from "@/policy/pending.ts";
import { Policy } from "@/policy/policy.ts";
import { parseRule, ruleProblem } from "@/policy/rule.ts";
import { readRules } from "@/policy/rule_file.ts";
import { Trust } from "@/policy/trust.ts";
import { allTools, type ToolParts } from "@/tools/mod.ts";
import { defineTool, ok } from "@/tools/spec.ts";
import { Confine } from "@/workspace/confine.ts";
import { withWorkspace } from "../support/workspace.ts";
import type { Adapter } from "./adapter.ts";

const decideInput = z.strictObject({
  rules: z.record(z.string(), z.unknown()),
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
});
const problemInput = z.strictObject({ rule: z.string() });
const filesInput = z.strictObject({ files: z.record(z.string(), z.unknown()) });
const answerInput = z.strictObject({ answer: z.string(), rule: z.string() });

const decide: Adapter = (input) => {
  const { rules, tool, arguments: given } = decideInput.parse(input);
  const { rules: read, grants, broken } = readRules(rules, {
    kind: "personal",
    label: "the vector",
  });
  return inTemp(async (workspace) => {
    const call = await guardedCall(toolNamed(tool), given, workspace);
    const counted = broken ? read.filter(({ verdict }) => verdict !== "allow") : read;
    const decision = decideByRules({ rules: counted, grants }, factsOf(call, false), { workspace });
    return { verdict: decision?.verdict ?? "ask" };
  });
};

const problem: Adapter = (input) => ({
  problem: ruleProblem(problemInput.parse(input).rule) ?? "",
});

const files: Adapter = (input) => {
  const given = filesInput.safeParse(input);
  if (given.success) return inTemp((dir) => rulesOfFiles(dir, given.data.files));
  const answer = answerInput.safeParse(input);
  return answer.success ? inTemp((dir) => answered(dir, answer.data)) : undefined;
};

export const adapters: Record<string, Adapter> = {
  "permissions.decide": decide,
  "permissions.rule_problem": problem,
  "permissions.files": files,
};

/** Loads the files as a trusted project's and the person's. */
async function rulesOfFiles(dir: string, given: Record<string, unknown>): Promise<unknown> {
  const project = join(dir, "project");
  await Deno.mkdir(project);
  for (const [name, content] of Object.entries(given)) {
    const path = name === "personal" ? personalFile(dir) : join(project, name);
    await Deno.writeTextFile(path, typeof content === "string" ? content : JSON.stringify(content));
  }
  const trust = await Trust.load(join(dir, "trust.json"));
  trust.trustForRun(project, await pending(trust, project));
  const policy = await Policy.load({
    personalFile: personalFile(dir),
    project,
    trust,
    place: () => ({ workspace: project }),
  });
  const active = policy.rulesInForce().filter(({ idle }) => idle === undefined);
  const texts = (verdict: string) =>
    active.filter((rule) => rule.verdict === verdict).map(({ text }) => text);
  return {
    allow: texts("allow"),
    deny: texts("deny"),
    errors: policy.problems.filter((text) => text.startsWith("Cannot read")).length,
    crash: false,
  };
}

/** Answers a question about the call that the rule spells out, with the first reach that is offered. */
async function answered(dir: string, { answer, rule }: { answer: string; rule: string }) {
  if (answer !== "a") return undefined;
  const { tool, pattern = "" } = parseRule(rule, "allow", { kind: "session", label: "" });
  const project = join(dir, "project");
  await Deno.mkdir(project);
  const policy = await Policy.load({
    personalFile: personalFile(dir),
    project,
    trust: await Trust.load(join(dir, "trust.json")),
    place: () => ({ workspace: project }),
  });
  const spec = toolNamed(tool);
  const [parameter = ""] = Object.keys(spec.input.shape);
  const call = await guardedCall(spec, { [parameter]: pattern }, project);
  const [reach] = policy.reachesOf(call);
  if (reach === undefined) return undefined;
  await policy.remember({ answer: "always", reach, scope: "project" });
  const saved: unknown = JSON.parse(await Deno.readTextFile(personalFile(dir)));
  const entry = z.object({
    projects: z.record(z.literal(project), z.object({ allow: z.tuple([z.unknown()]) })),
  }).parse(saved).projects[project]?.allow[0];
  const inProject = [...Deno.readDirSync(project)].map(({ name }) => name);
  return {
    file: inProject.length === 0 ? "the person's permissions.json, keyed by project" : inProject[0],
    literal: z.strictObject({ tool: z.literal(tool), literal: z.literal(pattern) })
      .safeParse(entry).success,
    runs_now: policy.allowed(call)?.verdict === "allow",
  };
}

function personalFile(dir: string): string {
  return join(dir, "permissions.json");
}

/** What the dispatcher makes of a call before it asks the guards. */
async function guardedCall(
  tool: ToolSpec,
  given: Record<string, unknown>,
  workspace: string,
): Promise<GuardedCall> {
  const input = tool.input.parse(given);
  const effect = tool.effect(input);
  let subject: Subject = tool.subject(input);
  let outside = false;
  if (subject.kind === "path") {
    const confine = new Confine({ workspace, added: [], home: "/home/u" });
    const places = await Promise.all(subject.paths.map((path) => confine.resolve(path, effect)));
    outside = places.some((place) => place.outside);
    subject = { ...subject, paths: places.map(({ real }) => real) };
  }
  return { id: "1", tool, input, effect, subject, outside };
}

/** The product's own tools. Only their declarations are looked at, so what they work with is left out. */
const REAL_TOOLS = allTools({} as ToolParts);

/** Tools that vectors name and that do not exist yet: the kind of the subject, and its parameters. */
const PLANNED: Readonly<Record<string, readonly [kind: Subject["kind"], ...string[]]>> = {
  run_cmd: ["command", "command"],
  get_code_skeleton: ["path", "file_path"],
  get_url: ["url", "url"],
  call_api: ["url", "url"],
  search_web: ["text", "query"],
  read_memory: ["text", "id"],
  use_skill: ["text", "skill_name"],
  run_python: ["none"],
};

function toolNamed(written: string): ToolSpec {
  const name = mcpName(written) ?? written;
  const real = REAL_TOOLS.find((tool) => tool.name === name);
  const [kind = "none", ...parameters] = PLANNED[name] ?? [];
  return defineTool({
    name,
    description: "",
    otherNames: [...(real?.otherNames ?? []), ...(name === written ? [] : [written])],
    // Vectors give only the arguments that matter, so none is required here.
    input: real?.input.partial() ??
      z.object(Object.fromEntries(parameters.map((key) => [key, z.string().optional()]))),
    effect: () => "changes",
    subject: (input: Record<string, unknown>): Subject => {
      if (real !== undefined) return given(real.subject(input));
      const texts = parameters.map((key) => input[key]).filter((text) => typeof text === "string");
      if (kind === "none") return { kind };
      return kind === "path" ? { kind, paths: texts } : { kind, text: texts.join(" ") };
    },
    summary: () => name,
    run: () => Promise.resolve(ok("")),
  });
}

/** Without the paths of parameters that the vector left out. */
function given(subject: Subject): Subject {
  if (subject.kind !== "path") return subject;
  return { ...subject, paths: subject.paths.filter((path) => typeof path === "string") };
}

/** `server.tool`, one of the spellings of an MCP tool, as its own name. */
function mcpName(written: string): string | undefined {
  const split = /^([\w-]+?)(?:\.|::|\/)([\w-]+)$/.exec(written);
  return split === null ? undefined : `mcp__${split[1]}__${split[2]}`;
}

async function inTemp<T>(body: (dir: string) => Promise<T>): Promise<T> {
  let result: T | undefined;
  let isDone = false;
  await withWorkspace(async (dir) => {
    result = await body(dir);
    isDone = true;
  });
  if (!isDone || result === undefined) throw new Error("The test directory gave no result");
  return result;
}
