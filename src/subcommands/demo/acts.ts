/** The demos: what each is about, and the files that are made for it. */
import { join } from "@/lib/path.ts";
import type { RunOptions } from "@/compose/options.ts";
import { POLICY_DEMO } from "@/provider/demo/policy.ts";

/** One demo. */
export type Act = {
  /** Said for the person. */
  request: string;
  run: RunOptions;
  /** The same where nobody types. The commands are the demo's own, in a folder that it made: nothing needs a sandbox. */
  printed: RunOptions;
  /** Slash commands that show more, where nobody types. */
  after: readonly string[];
  /** Text by path: in the project, and with `~/` in the home of the demo. */
  files: Readonly<Record<string, string>>;
  directories: readonly string[];
};

const PROGRAM: Readonly<Record<string, string>> = {
  "README.md":
    "# Windows\n\nCuts a list into windows. Run `python3 check_window.py` to check it.\n",
  "window.py": `"""Cut a list into windows."""


def window(items, start, size):
    """The items from start, size of them."""
    return items[start:start + size - 1]


def windows(items, size):
    return [window(items, start, size) for start in range(0, len(items), size)]
`,
  "check_window.py": `from window import windows

expected = [[1, 2], [3, 4], [5]]
actual = windows([1, 2, 3, 4, 5], 2)
assert actual == expected, f"windows: expected {expected}, got {actual}"
print("all windows are whole")
`,
};

/** By the name that the command takes. */
export const ACTS = {
  /** The scripted model mends a small program. */
  repair: {
    request: "check_window.py fails. Find out why, and mend it.",
    run: { model: "demo/repair" },
    printed: { auto: true, sandbox: "off" },
    after: ["/undo", "/redo"],
    files: PROGRAM,
    directories: [],
  },
  /** Calls that the rules of the supervisor decide. */
  policy: {
    request: "Show me what the supervisor may do here.",
    run: { model: "demo/policy", profile: "supervisor" },
    printed: { sandbox: "off" },
    after: ["/policy"],
    files: {
      ...PROGRAM,
      [POLICY_DEMO.old]: "An old note.\n",
      [POLICY_DEMO.outside]: "Nothing of the project.\n",
    },
    directories: ["~/supervisor"],
  },
} as const satisfies Readonly<Record<string, Act>>;

export type DemoName = keyof typeof ACTS;

/** Make the files of one. */
export async function plant(
  { files, directories }: Act,
  { project, home }: { project: string; home: string },
): Promise<void> {
  const at = (path: string) =>
    path.startsWith("~/") ? join(home, path.slice(2)) : join(project, path);
  for (const directory of directories) await Deno.mkdir(at(directory), { recursive: true });
  for (const [path, text] of Object.entries(files)) await Deno.writeTextFile(at(path), text);
}
