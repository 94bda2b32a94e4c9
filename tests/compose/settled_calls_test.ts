/** Nobody is asked about an edit or a write that would change nothing as the files stand. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { withApp } from "../support/whole_app.ts";

const call = (name: string, input: Record<string, string>) => ({
  calls: [{ name, arguments: input, id: `c${Math.random()}` }],
});

Deno.test("an edit that would be refused, or would change nothing, is not asked about; its rows help the next one", () => {
  const asked: string[] = [];
  return withApp([
    call("edit_file", { filepath: "a.txt", old_content: "twoo", new_content: "2" }),
    call("edit_file", { filepath: "a.txt", old_content: "one", new_content: "one" }),
    call("write_file", { filepath: "none/b.txt", content: "x\n" }),
    call("write_file", { filepath: "a.txt", content: "one\ntwo\n" }),
    call("edit_file", { filepath: "a.txt", old_content: "two", new_content: "2" }),
    { text: "Done." },
  ], async ({ app, dir }) => {
    const { calls } = await app.say("Go.");
    equal(calls.map(({ result, asked }) => [result.status, asked]), [
      ["failed", false],
      ["ok", false],
      ["failed", false],
      ["ok", false],
      ["ok", true],
    ]);
    match(calls[0]?.result.text ?? "", /2:\w+\|two/);
    match(calls[2]?.result.text ?? "", /none/);
    equal(asked, ["edit_file"]);
    equal(await Deno.readTextFile(join(dir, "a.txt")), "one\n2\n");
  }, {
    run: {},
    plant: (dir) => Deno.writeTextFile(join(dir, "a.txt"), "one\ntwo\n"),
    screen: {
      approver: ({ tool }) => {
        asked.push(tool.name);
        return Promise.resolve({ answer: "yes" });
      },
    },
  });
});

Deno.test("what a rule asks about reading, and what would give rights, is asked about although it would be refused", () => {
  const asked: string[] = [];
  return withApp([
    call("edit_file", { filepath: "s.txt", old_content: "nothing", new_content: "3" }),
    call("edit_file", { filepath: "t.txt", old_content: "nothing", new_content: "3" }),
    call("write_file", { filepath: ".vscode/tasks.json", content: "{}\n" }),
    { text: "Done." },
  ], async ({ app }) => {
    const { calls } = await app.say("Go.");
    equal(calls.map(({ decision, asked }) => [decision.verdict, asked]), [
      ["deny", true],
      ["allow", false],
      ["deny", true],
    ]);
    equal(asked, ["edit_file", "write_file"]);
  }, {
    run: {},
    plant: async (dir) => {
      for (const name of ["s.txt", "t.txt"]) await Deno.writeTextFile(join(dir, name), "one\n");
      await Deno.mkdir(join(dir, "../home"), { recursive: true });
      const rules = { ask: ["read_file(s.txt)"] };
      await Deno.writeTextFile(join(dir, "../home/permissions.json"), JSON.stringify(rules));
    },
    screen: {
      approver: ({ tool }) => {
        asked.push(tool.name);
        return Promise.resolve({ answer: "no" });
      },
    },
  });
});
