/** The demo's repair: finds the failing check of the small program that `task demo` makes, and mends it by anchor. */
import type { Line, Scene } from "@/provider/demo/scripted.ts";

/** The line with the mistake, and what it becomes. */
const WRONG = "    return items[start:start + size - 1]";
const RIGHT = "    return items[start:start + size]";
const CHECK = "python3 check_window.py";

/** One line of the repair; the check is run only where the harness offers run_cmd. */
export function repair(scene: Scene): Line {
  const hasCommands = scene.tools.includes("run_cmd");
  const count = (name: string) => scene.done.filter(({ call }) => call.name === name).length;
  const last = scene.done.at(-1);
  if (last?.status === "denied" || last?.status === "interrupted") return report(scene);
  if (count("list_dir") === 0) {
    const say = "I am the built-in demo, a scripted model; the tools are real. What is here?\n";
    return { say, call: { name: "list_dir", input: { dirpath: "." } } };
  }
  if (hasCommands && count("run_cmd") === 0) {
    return {
      say: "I run the project's check.\n",
      call: { name: "run_cmd", input: { command: CHECK } },
    };
  }
  if (count("search_in_file") === 0) {
    const say = "Which line cuts the window?\n";
    return { say, call: { name: "search_in_file", input: { query: "items[start" } } };
  }
  if (count("read_file") === 0) {
    const say = "I read the file with its anchors.\n";
    return { say, call: { name: "read_file", input: { filepath: "window.py" } } };
  }
  if (count("edit_file") === 0) return edit(scene);
  if (hasCommands && count("run_cmd") === 1) {
    return { say: "And the check again.\n", call: { name: "run_cmd", input: { command: CHECK } } };
  }
  return report(scene);
}

function edit(scene: Scene): Line {
  const listing = scene.done.at(-1)?.text ?? "";
  const row = listing.split("\n").find((line) => line.endsWith(`|${WRONG}`));
  const anchor = row?.trim().split("|")[0];
  if (anchor === undefined) return report(scene);
  return {
    say:
      "The upper bound is one too small: the last item of each window is dropped. One row mends it.\n",
    call: {
      name: "edit_file",
      input: { filepath: "window.py", new_content: `${anchor}|${RIGHT}` },
    },
  };
}

function report({ done }: Scene): Line {
  const rows = done.map(({ call, status }) => `- ${call.name}: ${status}`).join("\n");
  return { say: `Done (scripted). What really happened:\n${rows}\nTry /undo, then /redo.` };
}
