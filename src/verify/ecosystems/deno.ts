/** Deno: the test task of the configuration. */
import { isObject } from "@/lib/json.ts";
import type { Ecosystem } from "@/verify/ecosystem.ts";
import { SCRIPTS } from "./suffixes.ts";

const CONFIGS = ["deno.json", "deno.jsonc"];

export const deno: Ecosystem = {
  suffixes: SCRIPTS,
  rows: [{ declared: "deno.json with a test task", runs: "deno task test" }],
  async declared(dir) {
    const name = await dir.first(CONFIGS);
    const config = name === undefined ? undefined : await dir.json(name);
    const task = isObject(config?.["tasks"]) ? config["tasks"]["test"] : undefined;
    const command = isObject(task) ? task["command"] : task;
    if (typeof command !== "string" || command.trim() === "") return undefined;
    return {
      name: "deno task test",
      root: dir.path,
      program: "deno",
      args: ["task", "test"],
      noTests: /^error: No test modules found/m,
    };
  },
};
