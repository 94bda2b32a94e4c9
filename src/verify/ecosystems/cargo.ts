/** Rust. */
import type { Ecosystem } from "@/verify/ecosystem.ts";

export const cargo: Ecosystem = {
  suffixes: [".rs"],
  rows: [{ declared: "Cargo.toml", runs: "cargo test --quiet" }],
  async declared(dir) {
    if (!await dir.has("Cargo.toml")) return undefined;
    return {
      name: "cargo test",
      root: dir.path,
      program: "cargo",
      args: ["test", "--quiet"],
      unable:
        /^error: (failed to (get|download|fetch) `|rustup could not|toolchain '.*' is not installed)|Couldn't resolve host|\[6\] Could not resolve host/m,
    };
  },
};
