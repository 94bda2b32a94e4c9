import { deepStrictEqual as assertEquals, match } from "node:assert";
import { fileURLToPath } from "node:url";
import { withWorkspace } from "../support/workspace.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Runs the task's program on files; gives its exit code and what it printed, line by line. */
async function run(...args: string[]): Promise<{ code: number; out: string[]; err: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-q",
      "--no-prompt",
      "--allow-read",
      "--allow-env",
      "tests/vectors/run.ts",
      ...args,
    ],
    cwd: ROOT,
  }).output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trimEnd();
  return { code, out: decode(stdout).split("\n"), err: decode(stderr) };
}

function file(budget: number): string {
  const vectors = [{
    id: "q1",
    input: { NUM_CTX: 65_536, NUM_PREDICT: 6_144 },
    expected: { budget },
  }];
  return JSON.stringify({ groups: [{ component: "context", vectors }] });
}

Deno.test("task vectors ends well when the product does what a file says", async () => {
  await withWorkspace(async (dir) => {
    await Deno.writeTextFile(`${dir}/right.json`, file(49_561));
    assertEquals(await run(`${dir}/right.json`), { code: 0, out: ["1 passed, 0 failed"], err: "" });
  });
});

Deno.test("task vectors names the id and fails when the product does something else", async () => {
  await withWorkspace(async (dir) => {
    await Deno.writeTextFile(`${dir}/right.json`, file(49_561));
    await Deno.writeTextFile(`${dir}/wrong.json`, file(49_562));
    const { code, out } = await run(`${dir}/right.json`, `${dir}/wrong.json`);
    match(out[0] ?? "", /^FAIL q1 \[context [0-9a-f]{16}\] budget is 49561, expected 49562$/);
    assertEquals([code, ...out.slice(1)], [1, "1 passed, 1 failed"]);
  });
});

Deno.test("task vectors refuses a file that it cannot read", async () => {
  await withWorkspace(async (dir) => {
    await Deno.writeTextFile(`${dir}/list.json`, "[]");
    await Deno.writeTextFile(`${dir}/torn.json`, "{");
    for (const name of ["list.json", "torn.json", "missing.json"]) {
      const { code, err } = await run(`${dir}/${name}`);
      assertEquals(code, 2);
      match(err, new RegExp(name));
    }
  });
});

Deno.test("task vectors refuses an option it does not have", async () => {
  const { code, err } = await run("--fast");
  assertEquals([code, err], [2, "Usage: deno task vectors [FILE…] [--only COMPONENT]"]);
});
