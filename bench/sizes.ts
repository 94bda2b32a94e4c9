/** How long the program's files are. */
import { fileURLToPath } from "node:url";
import type { Row } from "./measure.ts";

const SRC = fileURLToPath(new URL("../src/", import.meta.url));

/** Lines of each file in src/: goal a median below 90. The limit of 400 a file is a lint rule. */
export function sizes(): Promise<Row[]> {
  const values = [...lineCounts(SRC)];
  const largest = { name: "largest file", unit: "lines", values: [Math.max(...values)] } as const;
  const all: Row = { name: "files", unit: "lines", values, goal: { kind: "median", atMost: 89 } };
  return Promise.resolve([all, largest]);
}

function* lineCounts(dir: string): Generator<number> {
  for (const entry of Deno.readDirSync(dir)) {
    if (entry.isDirectory) yield* lineCounts(`${dir}${entry.name}/`);
    else if (entry.name.endsWith(".ts")) {
      yield Deno.readTextFileSync(dir + entry.name).trimEnd().split("\n").length;
    }
  }
}
