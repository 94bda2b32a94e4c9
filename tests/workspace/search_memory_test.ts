/** Searching large logs must not grow memory. In full size only when asked: `deno test … -- --soak`. */
import { ok } from "node:assert/strict";
import { join } from "node:path";
import { Search } from "@/workspace/search.ts";
import { withProcesses } from "../support/processes.ts";
import { withWorkspace } from "../support/workspace.ts";

const IS_SOAK = Deno.args.includes("--soak");
const FILES = 8;
const FILE_BYTES = (IS_SOAK ? 95 : 8) * 1_000_000;
const GROWTH_BYTES_MAX = (IS_SOAK ? 200 : 60) * 1_000_000;

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
      await withWorkspace((dir) =>
        withProcesses(async (processes) => {
          for (let n = 0; n < FILES; n += 1) await writeLog(join(dir, `${n}.log`));
          const parts = { processes, workspace: dir };
          const search = new Search(engine === "own" ? { ...parts, engine } : parts);
          const query = isRegex ? "served in \\d+ ms needle" : "needle";
          const before = Deno.memoryUsage().rss;
          let peak = before;
          const watch = setInterval(() => peak = Math.max(peak, Deno.memoryUsage().rss), 10);
          const request = { query, isRegex, root: dir, contextLines: 2 };
          const { text, files } = await search.find(request, new AbortController().signal);
          clearInterval(watch);
          peak = Math.max(peak, Deno.memoryUsage().rss);
          ok(files === FILES && text.length < 8_192);
          ok(peak - before < GROWTH_BYTES_MAX, `grew by ${(peak - before) / 1e6} MB`);
        })
      );
    });
  }
}
