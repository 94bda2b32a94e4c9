/**
 * A turn of many calls in a small window, in the real program: no server refuses anything of it. With 2,000 calls, and with
 * what it costs in memory and time, only when asked, on Linux: `deno test … tests/e2e/long_session_test.ts -- --soak`.
 */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { join } from "node:path";
import type { FakeApi, Script } from "../support/fake_api.ts";
import { startFakeAnthropic } from "../support/fake_anthropic.ts";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { harness } from "../support/program.ts";
import { tokens } from "../support/prompt_size.ts";
import { withWorkspace } from "../support/workspace.ts";

const IS_SOAK = Deno.args.includes("--soak");
const CALLS = IS_SOAK ? 2_000 : 80;
const FILES = 40;
const WINDOW = 32_768;
const RSS_KB_MAX = 200_000;
const FLAT = 1.2;
const SAMPLE = 100;
const PAGE_KB = 4;
const TICK_MS = 10;
const NEEDLE = "Never touch legacy/ledger.cob.";

type Wire = {
  model: string;
  start(script: Script): FakeApi;
  env(url: string): Record<string, string>;
};

const WIRES: readonly Wire[] = [
  { model: "ollama/m", start: startFakeOllama, env: (url) => ({ OLLAMA_HOST: url }) },
  {
    model: "anthropic/claude-small",
    start: startFakeAnthropic,
    env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "sk-ant-test" }),
  },
];

for (const { model, start, env } of WIRES) {
  Deno.test(`a turn of ${CALLS} calls stays within a 32k window of ${model}`, () =>
    withWorkspace(async (root) => {
      const [dir, home] = [join(root, "ws"), join(root, "home")];
      await Deno.mkdir(dir);
      for (let n = 0; n < FILES; n += 1) {
        await Deno.writeTextFile(join(dir, `f${n}.txt`), contents(n));
      }
      const seen = watched();
      await using api = start(seen.script);
      const args = ["-m", model, "--sandbox", "off", "--auto", "--output", "json"];
      const settings = ["HEADLESS_MAX_TOOL_CALLS=0", `NUM_CTX=${WINDOW}`, "MAX_OUTPUT_TOKENS=6144"];
      const ran = await harness(
        [...args, ...settings.flatMap((one) => ["--set", one]), "-p", `${NEEDLE} Read all files.`],
        { cwd: dir, home, env: env(api.url), onStart: ({ pid }) => seen.watch(pid) },
      );
      equal([ran.code, seen.made(), seen.lost()], [0, CALLS, 0], ran.stderr);
      ok(seen.largest() < WINDOW, `${seen.largest()} tokens in one request`);
      ok(seen.summaries() > 0, "it was shortened");
      const { early, late, rssKb } = seen.costs();
      if (!IS_SOAK) return;
      console.log(
        `${model}: ${seen.summaries()} summaries, first hundred ${
          early.toFixed(1)
        } ms a call, last ${late.toFixed(1)}, at most ${Math.round(rssKb / 1_000)} MB`,
      );
      ok(late <= early * FLAT, `${late} ms of CPU a call at the end, ${early} at the beginning`);
      ok(rssKb <= RSS_KB_MAX, `${rssKb} kB`);
    }));
}

function contents(n: number): string {
  return Array.from({ length: 60 }, (_, at) => `line ${at} of file ${n}, of some length\n`).join(
    "",
  );
}

/** A script that reads files, and what was seen of the program meanwhile. */
function watched() {
  const samples: Awaited<ReturnType<typeof costsOf>>[] = [];
  let [pid, made, lost, largest, summaries] = [0, 0, 0, 0, 0];
  const script: Script = async (body) => {
    const text = JSON.stringify(body);
    const input = tokens(body);
    largest = Math.max(largest, input);
    if (text.includes("You shorten a conversation")) {
      summaries += 1;
      return { text: `Goal: read. Done: ${made} calls.`, usage: { input, output: 10 } };
    }
    if (!text.includes(NEEDLE)) lost += 1;
    if (IS_SOAK && made % SAMPLE === 0) samples.push(await costsOf(pid));
    if (made === CALLS) return { text: "All read.", usage: { input, output: 10 } };
    made += 1;
    const call = { name: "read_file", arguments: { filepath: `f${made % FILES}.txt` } };
    return { calls: [{ ...call, id: `call_${made}` }], usage: { input, output: 10 } };
  };
  return {
    script,
    watch: (child: number) => void (pid = child),
    made: () => made,
    lost: () => lost,
    largest: () => largest,
    summaries: () => summaries,
    costs: () => {
      const perCall = samples.slice(1).map(({ cpuMs }, n) =>
        (cpuMs - (samples[n]?.cpuMs ?? cpuMs)) / SAMPLE
      );
      return {
        early: perCall[0] ?? 0,
        late: perCall.at(-1) ?? 0,
        rssKb: Math.max(0, ...samples.map(({ rssKb }) => rssKb)),
      };
    },
  };
}

/** What a process has in memory, in kilobytes, and how long it has computed: other programs do not change that. */
async function costsOf(pid: number): Promise<{ rssKb: number; cpuMs: number }> {
  const cat = await new Deno.Command("cat", { args: [`/proc/${pid}/stat`] }).output();
  const stat = new TextDecoder().decode(cat.stdout);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ").map(Number);
  const [user = 0, system = 0, pages = 0] = [fields[11], fields[12], fields[21]];
  return { rssKb: pages * PAGE_KB, cpuMs: (user + system) * TICK_MS };
}
