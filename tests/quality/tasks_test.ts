/** What deno.json promises: the tasks, under the narrowest flags, with nothing of the person's shell acting on them. */
import { deepStrictEqual as assertEquals, match, ok } from "node:assert";
import { SET_ASIDE, SET_ASIDE_PREFIX } from "@/sandbox/person_env.ts";
import config from "../../deno.json" with { type: "json" };

const tasks: Readonly<Record<string, string>> = config.tasks;

/** The tasks that run commands for the person hand the variables on; the others only clear them. */
const FOR_THE_PERSON: readonly string[] = ["start", "demo", "live"];

const unset = `unset ${SET_ASIDE.join(" ")}`;
const setAside = `export ${
  SET_ASIDE.map((name) => `${SET_ASIDE_PREFIX}${name}="$${name}"`).join(" ")
} && ${unset}`;

Deno.test("every task clears what acts on Deno before our first line", () => {
  for (const [name, command] of Object.entries(tasks)) {
    const start = FOR_THE_PERSON.includes(name) ? setAside : unset;
    ok(command.startsWith(`${start} && `), `Task "${name}" must start with:\n${start} && `);
  }
});

Deno.test("no task takes all permissions, and each names its file or folder", () => {
  for (const [name, command] of Object.entries(tasks)) {
    for (const part of command.split(" && ")) {
      ok(!/ (-A|--allow-all|--allow-ffi|--allow-import)\b/.test(part), `Task "${name}": ${part}`);
    }
  }
});

Deno.test("tests reach the loopback address and nothing else", () => {
  for (const [name, command] of Object.entries(tasks)) {
    for (const part of command.split(" && ").filter((part) => part.startsWith("deno test"))) {
      const net = part.split(" ").filter((word) => word.startsWith("--allow-net"));
      assertEquals(net, ["--allow-net=127.0.0.1,localhost"], `Task "${name}"`);
    }
  }
});

Deno.test("dependencies are pinned to exact npm versions and the lock is frozen", () => {
  for (const [name, target] of Object.entries(config.imports)) {
    if (target.startsWith("./")) continue;
    match(target, /^npm:\/?(@[a-z0-9-]+\/)?[a-z0-9.-]+@\d+\.\d+\.\d+(\/.*)?$/, name);
  }
  assertEquals(config.lock, { path: "deno.lock", frozen: true });
  assertEquals(config.nodeModulesDir, "none");
});
