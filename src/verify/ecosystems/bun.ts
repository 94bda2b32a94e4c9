/** Bun's own runner, where the project configures it. */
import { section } from "@/verify/config_text.ts";
import type { Ecosystem } from "@/verify/ecosystem.ts";
import { SCRIPTS } from "./suffixes.ts";

export const bun: Ecosystem = {
  suffixes: SCRIPTS,
  rows: [{ declared: "bunfig.toml with a [test] section", runs: "bun test" }],
  async declared(dir) {
    const config = await dir.text("bunfig.toml");
    if (config === undefined || section(config, "test") === undefined) return undefined;
    const noTests = /^No tests found!/m;
    return { name: "bun test", root: dir.path, program: "bun", args: ["test"], noTests };
  },
};
