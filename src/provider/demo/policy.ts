/** The demo of rules: real calls of a supervisor in the project that `harness demo policy` makes, each decided by its profile. */
import type { Line, Scene } from "./scripted.ts";

/** What the demo makes, and what of it the calls are about. */
export const POLICY_DEMO = {
  note: "~/supervisor/plan.md",
  old: "~/supervisor/old.md",
  outside: "../outside.txt",
} as const;

type Step = { say: string; name: string; input: Record<string, unknown> };

const { note, old, outside } = POLICY_DEMO;
const STEPS: readonly Step[] = [
  {
    say:
      "I am the built-in demo, a scripted model that works as the supervisor; every call is real. I may look around.\n",
    name: "list_dir",
    input: { dirpath: "." },
  },
  { say: "And read.\n", name: "read_file", input: { filepath: "window.py" } },
  { say: "And search.\n", name: "search_in_file", input: { query: "items[start" } },
  { say: "A command that only looks is free too.\n", name: "run_cmd", input: { command: "ls" } },
  {
    say: "My own home is mine to write in.\n",
    name: "write_file",
    input: { filepath: note, content: "The window is one item short; somebody has to mend it.\n" },
  },
  {
    say: "The project is not: this is refused.\n",
    name: "write_file",
    input: { filepath: "window.py", content: "mended\n" },
  },
  {
    say: "Any other command stops and asks you.\n",
    name: "run_cmd",
    input: { command: "python3 check_window.py" },
  },
  { say: "So does a look outside the project.\n", name: "read_file", input: { filepath: outside } },
  { say: "Deleting in my own home does not.\n", name: "delete_file", input: { filepath: old } },
  {
    say:
      "Work is handed on: a sub-agent has the rights of a coder, and asks you in its own name.\n",
    name: "spawn_agent",
    input: {
      task: "check_window.py fails. Find out why, mend it, and report.",
      model: "demo/repair",
    },
  },
  { say: "And I look at what came of it.\n", name: "read_file", input: { filepath: "window.py" } },
];

/** The next call, or the report when all are made; one that was refused does not end it. */
export function policy({ done }: Scene): Line {
  const step = STEPS[done.length];
  if (step !== undefined && done.at(-1)?.status !== "interrupted") {
    const { say, name, input } = step;
    return { say, call: { name, input } };
  }
  const rows = done.map(({ call, status }, at) =>
    `- ${call.name} ${target(STEPS[at]?.input ?? {})}: ${status}`
  );
  return {
    say: `Done (scripted). What became of each call:\n${
      rows.join("\n")
    }\n\n/policy prints the rules, /profile says where they stand.`,
  };
}

function target(input: Record<string, unknown>): string {
  const [first] = Object.values(input);
  return `"${String(first)}"`;
}
