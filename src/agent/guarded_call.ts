/** From a tool's declaration to a call that can be decided about: its subject in canonical form. */
import type { GuardedCall, PathResolver, ResolvedPath } from "@/protocol/policy.ts";
import type { Effect, Subject, ToolSpec } from "@/protocol/tool.ts";

/** A call with what its paths really are, by their spelling; or why a path of it must not be touched at all. */
export type Prepared =
  | { kind: "call"; call: GuardedCall; paths: ReadonlyMap<string, ResolvedPath> }
  | { kind: "refused"; reason: string };

export type CallFacts = { id: string; tool: ToolSpec; input: Record<string, unknown> };

/** Prepare a call. Throws what the tool's declaration throws. */
export async function guardedCall(
  { id, tool, input }: CallFacts,
  resolvePath: PathResolver,
): Promise<Prepared> {
  const effect = tool.effect(input);
  const spelled = tool.subject(input);
  const paths = await resolvePaths({ spelled, effect }, resolvePath);
  for (const { refusal } of paths.values()) {
    if (refusal !== undefined) return { kind: "refused", reason: refusal };
  }
  const outside = [...paths.values()].some((path) => path.outside);
  const subject = canonical(spelled, paths);
  return { kind: "call", call: { id, tool, input, effect, subject, outside }, paths };
}

/** Why a call that was prepared must not run any more: a path of it leads elsewhere by now; undefined when none does. */
export async function movedSince(
  { call, paths }: Extract<Prepared, { kind: "call" }>,
  resolvePath: PathResolver,
): Promise<string | undefined> {
  const spelled = call.tool.subject(call.input as Record<string, unknown>);
  const now = await resolvePaths({ spelled, effect: call.effect }, resolvePath);
  for (const [path, { real }] of paths) {
    const { refusal, real: realNow = path } = now.get(path) ?? {};
    if (refusal !== undefined) return refusal;
    if (realNow !== real) {
      return `"${path}" led to "${real}" when this was decided and leads to "${realNow}" now`;
    }
  }
  return undefined;
}

async function resolvePaths(
  { spelled, effect }: { spelled: Subject; effect: Effect },
  resolvePath: PathResolver,
): Promise<Map<string, ResolvedPath>> {
  const paths = new Map<string, ResolvedPath>();
  if (spelled.kind !== "path") return paths;
  for (const path of spelled.paths) {
    const own = spelled.reads?.includes(path) === true ? "reads" : effect;
    paths.set(path, await resolvePath(path, own, spelled.leaf ?? "follow"));
  }
  return paths;
}

function canonical(subject: Subject, paths: ReadonlyMap<string, ResolvedPath>): Subject {
  if (subject.kind !== "path") return subject;
  const real = (path: string) => paths.get(path)?.real ?? path;
  const { reads } = subject;
  return {
    ...subject,
    paths: subject.paths.map(real),
    ...(reads === undefined ? {} : { reads: reads.map(real) }),
  };
}
