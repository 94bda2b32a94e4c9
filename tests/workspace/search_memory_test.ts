/** Searching large logs must not grow memory. In full size only when asked: `deno test … -- --soak`. */
import { ok } from "node:assert/strict";
import { join } from "node:path";
import { runChild } from "../support/run_child.ts";
import { withWorkspace } from "../support/workspace.ts";

const IS_SOAK = Deno.args.includes("--soak");
const FILES = 8;
const FILE_BYTES = (IS_SOAK ? 95 : 8) * 1_000_000;
/** The code and the worker of our own engine take 75 MB of it, whatever is searched. */
const GROWTH_BYTES_MAX = (IS_SOAK ? 200 : 120) * 1_000_000;

async function writeLog(path: string): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true });
  let block = "";
  for (let line = 0; block.length < 500_000; line += 1) {
    block += `2026-11-29T10:00:${line % 60} INFO request ${line} served in ${
      line % 977
    } ms needle\n`;
  }
  const bytes = new TextEncoder().encode(block);
  for (let written = 0; written < FILE_BYTES; written += bytes.length) await file.write(bytes);
}

for (const engine of ["ripgrep", "own"] as const) {
  for (const isRegex of [false, true]) {
    const how = `${engine === "own" ? "our own engine" : "ripgrep"}, ${
      isRegex ? "a regular expression" : "a text"
    }`;
    Deno.test(`searching ${FILES} large logs grows memory little: ${how}`, async () => {
      await withWorkspace(async (workspace) => {
        for (let n = 0; n < FILES; n += 1) await writeLog(join(workspace, `${n}.log`));
        const query = isRegex ? "served in \\d+ ms needle" : "needle";
        const asked = JSON.stringify({ workspace, query, isRegex, engine });
        const found = await runChild("search_child.ts", asked, ["--allow-run", "--allow-write"]);
        const { files, chars, grown } = found as { files: number; chars: number; grown: number };
        ok(files === FILES && chars < 8_192);
        ok(grown < GROWTH_BYTES_MAX, `grew by ${grown / 1e6} MB`);
      });
    });
  }
}
