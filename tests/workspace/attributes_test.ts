/** What is known of files' attributes, and of what it is known. */
import { deepStrictEqual as equal } from "node:assert/strict";
import { Attributes } from "@/workspace/attributes.ts";
import { Processes } from "@/sandbox/processes.ts";
import { attributes, hasAttributes, TAG } from "../support/attributes.ts";
import { machineEnv, withProcesses } from "../support/processes.ts";
import { type Tree, withTree } from "./journal_tree.ts";

const ignore = !await hasAttributes();

/** Until the second of the last change is over, nothing is asked ahead. */
const OLD_MS = 1_100;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function inTree(body: (tree: Tree, processes: Processes) => Promise<void>): Promise<void> {
  await withProcesses((processes) => withTree((tree) => body(tree, processes)));
}

Deno.test(
  "each name of a file has what the file has, asked about together",
  { ignore },
  async () => {
    await inTree(async (tree, processes) => {
      let asked = 0;
      const known = new Attributes({
        ownPath: processes.ownPath,
        run: (command, options) => {
          asked += 1;
          return processes.run(command, options);
        },
      });
      const one = tree.put("one.txt", "one\n");
      await attributes(one, TAG);
      const names = [one, tree.path("other.txt")];
      Deno.linkSync(one, tree.path("other.txt"));
      await pause(OLD_MS);
      await known.has(tree.put("first.txt", "one\n"));
      for (const name of names) known.expect(name);
      while (asked < 2) await pause(20);
      equal(await Promise.all(names.map((name) => known.has(name))), [true, true]);
      equal(asked, 2);
      known.close();
    });
  },
);

Deno.test("of a file about which no answer came it is not said that it has nothing", {
  ignore,
}, async () => {
  await withTree(async (tree) => {
    const path = tree.put("one.txt", "one\n");
    const processes = new Processes(machineEnv());
    const late = new Attributes({
      ownPath: processes.ownPath,
      run: (command) =>
        processes.run({ ...command, program: "sleep", args: ["9"] }, { timeoutMs: 50 }),
    });
    equal(await late.has(path), true);
    late.close();
    await processes.close();
  });
});
