/** What rules that deny reading a file say, for every call that would show its lines or take its content elsewhere. */
import type { Decision, GuardedCall } from "@/protocol/policy.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { isWithin } from "@/lib/path_within.ts";

/** What decides. `tools` is asked when a path is, because a search is one of them. */
export type ReadRules = {
  denied: (call: GuardedCall) => Decision | undefined;
  tools: () => readonly ToolSpec[];
};

/** What denies showing the file at a real path in a call about that file; undefined when nothing does. */
export function deniedReading(rules: ReadRules): (path: string) => Decision | undefined {
  return (path) => firstDenial(rules, path, ({ shows }) => shows === true);
}

/**
 * Whether lines of the file at a real path may be among those of many files: it lies in no forbidden directory, and no
 * deny rule of any tool that shows lines stands against it.
 */
export function mayReadBy(
  { forbidden, ...rules }: ReadRules & { forbidden: readonly string[] },
): (path: string) => boolean {
  return (path) =>
    !forbidden.some((directory) => isWithin(path, directory)) &&
    firstDenial(rules, path, () => true) === undefined;
}

/**
 * Whether lines of what a call is about may be shown without a question: it lies inside the workspace, and no rule denies
 * reading it or asks about that.
 */
export function showsUnasked(
  { denied, asked, tools }: ReadRules & { asked: ReadRules["denied"] },
): (call: GuardedCall) => boolean {
  const rules = { denied: (call: GuardedCall) => denied(call) ?? asked(call), tools };
  return ({ subject, outside }) =>
    !outside && subject.kind === "path" &&
    subject.paths.every((path) => deniedReading(rules)(path) === undefined);
}

function firstDenial(
  { denied, tools }: ReadRules,
  path: string,
  isAsked: (tool: ToolSpec) => boolean,
): Decision | undefined {
  const subject = { kind: "path", paths: [path] } as const;
  for (const tool of tools()) {
    if (!isAsked(tool)) continue;
    const input = tool.reading?.(path);
    if (input === undefined) continue;
    const found = denied({ id: "", tool, input, effect: "reads", subject, outside: false });
    if (found !== undefined) return found;
  }
  return undefined;
}
