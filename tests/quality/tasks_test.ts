/** What deno.json promises: the tasks, under the narrowest flags, with nothing of the person's shell acting on them. */
import { deepStrictEqual as assertEquals, match, ok } from "node:assert";
import { OURS, SET_ASIDE, SET_ASIDE_PREFIX } from "@/sandbox/person_env.ts";
import { FLAGS } from "../support/program.ts";
import config from "../../deno.json" with { type: "json" };

const tasks: Readonly<Record<string, string>> = config.tasks;

/** The task that the others start Deno through. */
const CLEAR = "deno task -q clear-env ";

/** Deno commands that run none of our code, and the task runner itself, need no clearing. */
const INERT = /^deno (fmt|lint|check|task -q [a-z-]+) ?/;

Deno.test("the task clear-env sets aside each variable that acts on Deno before our first line", () => {
  const kept = SET_ASIDE.map((name) => `${SET_ASIDE_PREFIX}${name}="$${name}"`);
  const ours = Object.entries(OURS).map(([name, value]) => `${name}=${value}`);
  const command = `export ${kept.join(" ")} && unset ${SET_ASIDE.join(" ")}` +
    ` && export ${ours.join(" ")} && deno`;
  assertEquals(tasks["clear-env"], command);
});

Deno.test("every other task starts our code through clear-env", () => {
  for (const [name, command] of Object.entries(tasks)) {
    if (name === "clear-env") continue;
    for (const part of command.split(" && ")) {
      ok(part.startsWith(CLEAR) || INERT.test(part), `Task "${name}": ${part}`);
    }
  }
});

Deno.test("no task takes all permissions", () => {
  for (const [name, command] of Object.entries(tasks)) {
    for (const part of command.split(" && ")) {
      ok(!/ (-A|--allow-all|--allow-ffi|--allow-import)\b/.test(part), `Task "${name}": ${part}`);
    }
  }
});

Deno.test("end-to-end tests start the program with the permissions of task start", () => {
  assertEquals(tasks.start, `${CLEAR}${FLAGS.join(" ")} main.ts`);
});

Deno.test("a test that leaves something open fails", () => {
  // Neither is on by itself (Deno 2.9).
  for (const flag of ["--sanitize-ops", "--sanitize-resources"]) {
    ok(tasks["test-files"]?.split(" ").includes(flag), flag);
  }
});

Deno.test("tests reach the loopback address and nothing else", () => {
  let seen = 0;
  for (const [name, command] of Object.entries(tasks)) {
    for (const part of command.split(" && ").filter((part) => part.startsWith(`${CLEAR}test `))) {
      const net = part.split(" ").filter((word) => word.startsWith("--allow-net"));
      assertEquals(net, ["--allow-net=127.0.0.1,localhost"], `Task "${name}"`);
      seen += 1;
    }
  }
  ok(seen > 0);
});

Deno.test("dependencies are pinned to exact npm versions and the lock is frozen", () => {
  for (const [name, target] of Object.entries(config.imports)) {
    if (target.startsWith("./")) continue;
    match(target, /^npm:\/?(@[a-z0-9-]+\/)?[a-z0-9.-]+@\d+\.\d+\.\d+(-[a-z]+\.\d+)?(\/.*)?$/, name);
  }
  assertEquals(config.lock, { path: "deno.lock", frozen: true });
  assertEquals(config.nodeModulesDir, "none");
});

Deno.test("what runs elsewhere runs tasks that there are, by the Deno that this is written for", async () => {
  const dir = new URL("../../.github/workflows/", import.meta.url);
  let seen = 0;
  for (const { name } of Deno.readDirSync(dir)) {
    const text = await Deno.readTextFile(new URL(name, dir));
    for (const [, task = ""] of text.matchAll(/\bnpx .* task ([a-z]+)/g)) {
      ok(Object.hasOwn(tasks, task), `${name}: task ${task}`);
      seen += 1;
    }
    for (const [, version] of text.matchAll(/\bdeno@([\d.]+)/g)) {
      assertEquals(version, Deno.version.deno, name);
    }
  }
  ok(seen > 4);
});
