/** A call in the words that programs for other harnesses read: their name of the tool, and their names of its parameters. */
import { isObject, isSameJson } from "@/lib/json.ts";
import type { GuardedCall } from "@/protocol/policy.ts";

/** A tool by our name → theirs, and their parameters by ours. `path` is the first real path of the call's subject. */
const THEIRS: Readonly<Record<string, { name: string; keys: Readonly<Record<string, string>> }>> = {
  run_cmd: { name: "Bash", keys: { background: "run_in_background" } },
  write_file: { name: "Write", keys: { filepath: "file_path" } },
  edit_file: {
    name: "Edit",
    keys: { filepath: "file_path", old_content: "old_string", new_content: "new_string" },
  },
  read_file: { name: "Read", keys: { filepath: "file_path", start: "offset" } },
  search_in_file: { name: "Grep", keys: { query: "pattern" } },
  list_dir: { name: "LS", keys: { dirpath: "path" } },
  get_url: { name: "WebFetch", keys: {} },
  search_web: { name: "WebSearch", keys: {} },
  spawn_agent: { name: "Task", keys: {} },
};

/** What a program is told of a call. */
export type CallInput = {
  tool_name: string;
  harness_tool: string;
  tool_input: Record<string, unknown>;
  tool_use_id: string;
};

/** Make it. Paths of theirs are real and absolute, whatever the model wrote. */
export function callInput({ id, tool, input, subject }: GuardedCall): CallInput {
  const own = isObject(input) ? input : {};
  const theirs = Object.hasOwn(THEIRS, tool.name) ? THEIRS[tool.name] : undefined;
  const path = subject.kind === "path" ? subject.paths[0] : undefined;
  const renamed = Object.entries(theirs?.keys ?? {}).flatMap(([ours, key]) => {
    if (!Object.hasOwn(own, ours)) return [];
    return [[key, path !== undefined && /path$/.test(ours) ? path : own[ours]]];
  });
  return {
    tool_name: theirs?.name ?? tool.name,
    harness_tool: tool.name,
    tool_input: { ...own, ...Object.fromEntries(renamed) },
    tool_use_id: id,
  };
}

/**
 * The input that a program would have instead, in our parameters; undefined where it is the one that it was told. Its own
 * words for them are taken over, unless it has changed ours alone.
 */
export function changedInput(
  instead: Record<string, unknown>,
  { harness_tool: tool, tool_input: told }: CallInput,
): Record<string, unknown> | undefined {
  const { keys = {} } = Object.hasOwn(THEIRS, tool) ? THEIRS[tool] ?? {} : {};
  const input = { ...instead };
  for (const [ours, key] of Object.entries(keys)) {
    const isTheirs = Object.hasOwn(input, key) &&
      (!isSameJson(input[key], told[key]) || !Object.hasOwn(input, ours));
    if (isTheirs) input[ours] = input[key];
    delete input[key];
  }
  const there = Object.fromEntries(
    Object.entries(told).filter(([name]) => !Object.values(keys).includes(name)),
  );
  const names = new Set([...Object.keys(input), ...Object.keys(there)]);
  return [...names].every((name) => isSameJson(input[name], there[name])) ? undefined : input;
}

/** The other names by which people know our tools, in rules and matchers of other harnesses: theirs → ours. */
export const OURS_BY_THEIRS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(THEIRS).map(([ours, { name }]) => [name, ours]),
);
