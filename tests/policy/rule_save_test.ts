import { deepStrictEqual as assertEquals, equal, rejects } from "node:assert";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { saveRule } from "@/policy/rule_save.ts";
import { withWorkspace } from "../support/workspace.ts";

const CHILD = fileURLToPath(new URL("../support/policy_child.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await Deno.readTextFile(path));
}

Deno.test("saveRule() writes a rule down beside what is there, for one project or for all", async () => {
  await withWorkspace(async (dir) => {
    const file = join(dir, "state", "permissions.json");
    await saveRule(file, { rule: "run_cmd(ls)", verdict: "allow" });
    const kept = {
      own: { of: "a newer version" },
      deny: ["x"],
      projects: { "/b": { deny: ["y"] } },
    };
    await Deno.writeTextFile(file, JSON.stringify(kept));
    const literal = { tool: "run_cmd", literal: "git status" };
    await saveRule(file, { rule: literal, verdict: "allow", project: "/a" });
    await saveRule(file, { rule: literal, verdict: "allow", project: "/a" });
    await saveRule(file, { rule: "write_file(src/*)", verdict: "deny", project: "/b" });
    await saveRule(file, { rule: "run_cmd(ls)", verdict: "allow" });
    assertEquals(await readJson(file), {
      ...kept,
      projects: { "/b": { deny: ["y", "write_file(src/*)"] }, "/a": { allow: [literal] } },
      allow: ["run_cmd(ls)"],
    });
    if (Deno.build.os !== "windows") equal(((await Deno.stat(file)).mode ?? 0) & 0o777, 0o600);
  });
});

Deno.test("saveRule() changes nothing in a file that it does not understand", async () => {
  await withWorkspace(async (dir) => {
    const file = join(dir, "permissions.json");
    const saved = { rule: "run_cmd(ls)", verdict: "allow", project: "/a" } as const;
    for (
      const text of [
        "{",
        "[]",
        '{"projects": []}',
        '{"projects": {"/a": 7}}',
        '{"projects": {"/a": {"allow": "x"}}}',
      ]
    ) {
      await Deno.writeTextFile(file, text);
      await rejects(saveRule(file, saved), /permissions\.json/, text);
      equal(await Deno.readTextFile(file), text);
    }
    await Deno.remove(file);
    await Deno.mkdir(file);
    await rejects(saveRule(file, saved), /a directory is there/);
  });
});

Deno.test("saveRule() takes a project with an odd name", async () => {
  await withWorkspace(async (dir) => {
    const file = join(dir, "permissions.json");
    await saveRule(file, { rule: "x", verdict: "allow", project: "__proto__" });
    await saveRule(file, { rule: "y", verdict: "allow", project: "constructor" });
    equal(
      JSON.stringify(await readJson(file)),
      '{"projects":{"__proto__":{"allow":["x"]},"constructor":{"allow":["y"]}}}',
    );
  });
});

Deno.test("saveRule() loses none of 200 rules that two processes save at the same time", async () => {
  await withWorkspace(async (dir) => {
    const file = join(dir, "permissions.json");
    const each = 100;
    const run = (name: string) =>
      new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "-q",
          "--no-prompt",
          "--config",
          CONFIG,
          "--allow-read",
          `--allow-write=${dir}`,
          CHILD,
          file,
          "/p",
          name,
          String(each),
        ],
        stdout: "null",
        stderr: "inherit",
      }).spawn().status;
    const ended = await Promise.all([run("left"), run("right")]);
    assertEquals(ended.map(({ code }) => code), [0, 0]);
    const { allow, projects } = await readJson(file) as {
      allow: string[];
      projects: Record<string, { allow: string[] }>;
    };
    const saved = [...allow, ...(projects["/p"]?.allow ?? [])];
    const wanted = ["left", "right"].flatMap((name) =>
      Array.from({ length: each }, (_, at) => `run_cmd(${name} ${at + 1})`)
    );
    assertEquals(saved.sort(), wanted.sort());
  });
});
