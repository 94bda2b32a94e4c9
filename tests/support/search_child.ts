/**
 * Searches a directory and prints what was found and by how much memory grew, as JSON. A process of its own: how much
 * memory a search takes must not hang on the tests before it.
 */
import { Processes } from "@/sandbox/processes.ts";
import { Search } from "@/workspace/search.ts";
import { machineEnv } from "./processes.ts";

const { workspace, query, isRegex, engine } = JSON.parse(Deno.args[0] ?? "{}");
const processes = new Processes(machineEnv());
const search = new Search({ processes, workspace, ...(engine === "own" ? { engine } : {}) });
const before = Deno.memoryUsage().rss;
let peak = before;
const look = () => peak = Math.max(peak, Deno.memoryUsage().rss);
const watch = setInterval(look, 10);
const request = { query, isRegex, root: workspace, contextLines: 2 };
const { text, files } = await search.find(request, new AbortController().signal);
clearInterval(watch);
look();
await processes.close();
Deno.stdout.writeSync(
  new TextEncoder().encode(JSON.stringify({ files, chars: text.length, grown: peak - before })),
);
