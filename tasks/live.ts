/**
 * `deno task live [MODEL…]`: five tool-calling tasks with real models, where an Ollama (OLLAMA_HOST, else its usual address)
 * or a llama.cpp server (LLAMA_SERVER, else its usual address) is running. Says so where none is, and ends with 0: nothing was run.
 */
import { join } from "@/lib/path.ts";
import { harness } from "../tests/support/program.ts";
import { textIfThere } from "../tests/support/text_if_there.ts";

type Call = { name: string; status: string };
type Ran = { answer: string; calls: readonly Call[]; dir: string };
type LiveTask = {
  name: string;
  files: Readonly<Record<string, string>>;
  prompt: string;
  isDone(ran: Ran): boolean;
};

const TASKS: readonly LiveTask[] = [
  {
    name: "one call",
    files: { "one.txt": "", "two.txt": "", "three.txt": "" },
    prompt: "List this directory with your tools and say how many files are in it.",
    isDone: ({ answer, calls }) => calls.some(isOk) && /\b3\b|three/i.test(answer),
  },
  {
    name: "using the result",
    files: { "code.txt": "The word of today is quartz41.\n" },
    prompt: "Which word of today does code.txt name? Answer with that word.",
    isDone: ({ answer, calls }) => calls.some(isOk) && answer.includes("quartz41"),
  },
  {
    name: "exact arguments",
    files: {},
    prompt: "Create the file greeting.txt with exactly this one line: Grüße, 42 & <done>",
    isDone: ({ dir }) => textIfThere(join(dir, "greeting.txt"))?.trimEnd() === "Grüße, 42 & <done>",
  },
  {
    name: "two calls in order",
    files: { "source.txt": "slow tide\n" },
    prompt: "Read source.txt, then write its text in capital letters to target.txt.",
    isDone: ({ dir, calls }) =>
      textIfThere(join(dir, "target.txt"))?.trimEnd() === "SLOW TIDE" &&
      calls.filter(isOk).length > 1,
  },
  {
    name: "calling nothing",
    files: { "one.txt": "1\n" },
    prompt: "What is 2 + 2? Answer with the number alone.",
    isDone: ({ answer, calls }) => calls.length === 0 && /\b4\b|four/i.test(answer),
  },
];
const OLLAMA = "http://127.0.0.1:11434";
const LLAMA = "http://127.0.0.1:8080";
const LOOK_MS = 3_000;

/** A model that is there, and the environment that leads to it. */
type Found = { model: string; env: Record<string, string> };

Deno.exit(await main(Deno.args));

async function main(asked: readonly string[]): Promise<number> {
  const [ollama, llama] = [addressOf("OLLAMA_HOST", OLLAMA), addressOf("LLAMA_SERVER", LLAMA)];
  const found = [...await modelsOf(ollama, "ollama"), ...await modelsOf(llama, "openai")];
  const chosen = asked.length === 0 ? found : found.filter(({ model }) => asked.includes(model));
  if (chosen.length === 0) {
    console.log(
      `No model answers at ${ollama} (Ollama) or ${llama} (llama.cpp), so nothing was run.`,
    );
    if (found.length > 0) console.log(`There are: ${found.map(({ model }) => model).join(", ")}`);
    console.log(
      "Start one (ollama serve and ollama pull gemma4:e4b, or llama-server -m FILE.gguf --jinja)",
    );
    console.log("and run deno task live again; OLLAMA_HOST and LLAMA_SERVER name other addresses.");
    return 0;
  }
  const wide = Math.max(...chosen.map(({ model }) => model.length));
  console.log(`${"".padEnd(wide)}  ${TASKS.map(({ name }) => name).join(" | ")}`);
  for (const one of chosen) {
    const cells: string[] = [];
    for (const task of TASKS) {
      const done = await tried(one, task);
      cells.push(done.padEnd(task.name.length));
    }
    const passed = cells.filter((cell) => cell.startsWith("yes")).length;
    console.log(`${one.model.padEnd(wide)}  ${cells.join(" | ")} | ${passed} of ${TASKS.length}`);
  }
  return 0;
}

/** An address as OLLAMA_HOST is written, with or without the scheme. */
function addressOf(name: string, usual: string): string {
  const value = Deno.env.get(name) ?? "";
  if (value === "") return usual;
  return value.includes("://") ? value : `http://${value}`;
}

async function modelsOf(address: string, provider: "ollama" | "openai"): Promise<Found[]> {
  const base = address.replace(/\/+$/, "");
  const path = provider === "ollama" ? "/api/tags" : "/v1/models";
  // What is no JSON list is no such server.
  const answer = await asked(`${base}${path}`);
  const names = answer?.models?.map(({ name }) => name) ?? answer?.data?.map(({ id }) => id) ?? [];
  const env = provider === "ollama"
    ? { OLLAMA_HOST: base }
    : { OPENAI_BASE_URL: `${base}/v1`, OPENAI_API_KEY: "none" };
  return names.flatMap((name) => name === undefined ? [] : [{ model: `${provider}/${name}`, env }]);
}

type Models = { models?: { name?: string }[]; data?: { id?: string }[] };

/** The list of a server; nothing where none answers in time. `curl`, so that only providers make requests of ours. */
async function asked(url: string): Promise<Models | undefined> {
  const { success, stdout } = await new Deno.Command("curl", {
    args: ["-sf", "--noproxy", "*", "--max-time", String(LOOK_MS / 1_000), url],
  }).output();
  if (!success) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(stdout));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** "yes" or "no" with the seconds that it took. */
async function tried({ model, env }: Found, { files, prompt, isDone }: LiveTask): Promise<string> {
  const root = await Deno.makeTempDir({ prefix: "harness-live-" });
  try {
    const [dir, home] = [join(root, "ws"), join(root, "home")];
    await Deno.mkdir(dir);
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(join(dir, name), text);
    }
    const started = performance.now();
    const args = ["-m", model, "--auto", "--sandbox", "off", "--output", "json", "-p", prompt];
    const { code, stdout } = await harness(args, { cwd: dir, home, env });
    const seconds = `${((performance.now() - started) / 1_000).toFixed(0)} s`;
    if (code !== 0) return `no, exit ${code}`;
    const { answer, calls } = JSON.parse(stdout) as Omit<Ran, "dir">;
    return `${isDone({ answer, calls, dir }) ? "yes" : "no"}, ${seconds}`;
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

function isOk({ status }: Call): boolean {
  return status === "ok";
}
