/** A Makefile with a test target: for sources of every language that nothing nearer or more particular checks. */
import type { Ecosystem } from "@/verify/ecosystem.ts";
import { JVM, SCRIPTS } from "./suffixes.ts";

const MAKEFILES = ["GNUmakefile", "makefile", "Makefile"];

/** `test:` as a target, alone or among others; not `test := …`, and not what .PHONY lists. */
const TEST_TARGET = /^(?:[\w./-]+[ \t]+)*test(?:[ \t]+[\w./-]+)*[ \t]*::?(?!=)/m;

export const make: Ecosystem = {
  suffixes: [
    ...[".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".m", ".mm", ".s", ".asm", ".d"],
    ...[".py", ".rs", ".go", ".rb", ".php", ".pl", ".pm", ".lua", ".sh", ".bash", ".bats", ".awk"],
    ...[".zig", ".nim", ".swift", ".hs", ".ml", ".mli", ".ex", ".exs", ".erl", ".clj", ".el"],
    ...[".jl", ".r", ".dart", ".cr", ".f90", ".adb", ".v", ".sv", ".vhd", ".sql", ".proto"],
    ...SCRIPTS,
    ...JVM,
    ...[".cs", ".fs"],
  ],
  rows: [{ declared: "a Makefile with a test target", runs: "make test" }],
  async declared(dir) {
    const name = await dir.first(MAKEFILES);
    const text = name === undefined ? undefined : await dir.text(name);
    if (text === undefined || !TEST_TARGET.test(text)) return undefined;
    return { name: "make test", root: dir.path, program: "make", args: ["test"] };
  },
};
