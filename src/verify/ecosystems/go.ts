/** Go. */
import type { Ecosystem } from "@/verify/ecosystem.ts";

export const go: Ecosystem = {
  suffixes: [".go"],
  rows: [{ declared: "go.mod", runs: "go test ./..." }],
  async declared(dir) {
    if (!await dir.has("go.mod")) return undefined;
    return {
      name: "go test",
      root: dir.path,
      program: "go",
      args: ["test", "./..."],
      unable: /^go: .*(dial tcp|toolchain not available|module lookup disabled)/m,
    };
  },
};
