/**
 * Does one thing and prints by how many bytes memory grew, as JSON. A process of its own: tests that run side by side
 * share one, and what it holds is the sum of all.
 */
import { Processes } from "@/sandbox/processes.ts";
import { SessionLog } from "@/session/log.ts";
import { viewFile } from "@/workspace/file_view.ts";
import { machineEnv, sh } from "./processes.ts";

/** `subject` is a path, or a line of shell. */
const WORK: Readonly<Record<string, (subject: string) => Promise<unknown>>> = {
  view: (path) => viewFile(path, { start: 1_000_001, end: 1_000_003 }),
  session: async (path) => {
    const { log, records } = await SessionLog.open(path, { isRecording: () => true });
    await log.close();
    return records.length;
  },
  output: async (line) => {
    const processes = new Processes(machineEnv());
    const { stdout } = await processes.run(sh(line), { outputBytesMax: 1_000 });
    await processes.close();
    return stdout.kept().length;
  },
};

const { what, subject } = JSON.parse(Deno.args[0] ?? "{}");
const before = Deno.memoryUsage().rss;
const came = await WORK[what]?.(subject);
const grown = Deno.memoryUsage().rss - before;
console.log(JSON.stringify({ grown, hasCome: came !== undefined }));
