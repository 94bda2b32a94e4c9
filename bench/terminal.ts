/** The full screen in a real pseudo-terminal: when it takes keys, and what a reply costs, before and after a long session. */
import { startFakeOllama } from "../tests/support/fake_ollama.ts";
import { interleave, type Row } from "./measure.ts";
import {
  other,
  output,
  program,
  replyCpuMs,
  type Scratch,
  scratch,
  tookToInput,
  tookToPrompt,
} from "./program.ts";
import { reply, session } from "./transcript_case.ts";

const MODEL = "ollama/gemma4:e4b";
const TURNS = 150;
const END = "that-was-all-of-it";
const REPLY = reply();
/** The pause before each word, so that the reply takes five seconds. */
const PACE_MS = 5_000 / REPLY.split(/\s+/).length;

/** Until a typed letter is drawn: in an empty folder, and with a session of 150 turns (9 MB) reopened. */
export async function input(runs: number): Promise<Row[]> {
  await using api = startFakeOllama(() => ({ text: "Hello." }));
  await using at = await scratch({ OLLAMA_HOST: api.url });
  await using long = await scratch({ OLLAMA_HOST: api.url });
  await output(program("-p", "hello", "-m", MODEL), long);
  await addLongSession(long);
  const samples = await interleave({
    empty: async () => (await tookToPrompt("> ", other(`${at.dir}/prompt.ts`), at)).ms,
    fresh: async () => (await tookToInput(program("-m", MODEL), at)).ms,
    reopened: async () => (await tookToInput(program("-c", "-m", MODEL), long)).ms,
  }, runs);
  const rows: Row[] = [
    { name: "empty program", unit: "ms", values: samples.empty ?? [] },
    { name: "a new conversation", unit: "ms", values: samples.fresh ?? [], goal: within(250) },
    { name: "150 turns reopened", unit: "ms", values: samples.reopened ?? [], goal: within(500) },
  ];
  return rows;
}

/**
 * CPU time of a reply of 9.3 KB, the second of a conversation, at once and over five seconds: in a new one and after 150 turns.
 */
export async function replies(runs: number): Promise<Row[]> {
  let pace: number | undefined;
  await using api = startFakeOllama((body) => {
    const { messages } = body as { messages: { role: string; content: string }[] };
    const question = messages.findLast(({ role }) => role === "user")?.content ?? "";
    if (question === "first") return { text: `First. ${END}1` };
    if (question !== "second") return { text: "Hello." };
    return { text: `${REPLY}\n\n${END}2`, ...(pace === undefined ? {} : { pace }) };
  });
  const once = async (wanted: number | undefined, turns: number) => {
    await using at = await scratch({ OLLAMA_HOST: api.url });
    await output(program("-p", "hello", "-m", MODEL), at);
    if (turns > 0) await addLongSession(at);
    pace = wanted;
    return await replyCpuMs(END, program("-c", "-m", MODEL), at);
  };
  const samples = await interleave({
    atOnce: () => once(undefined, 0),
    atOnceLater: () => once(undefined, TURNS),
    slow: () => once(PACE_MS, 0),
    slowLater: () => once(PACE_MS, TURNS),
  }, runs);
  return [
    { name: "at once, CPU", unit: "ms", values: samples.atOnce ?? [], goal: within(120) },
    { name: "at once after 150 turns, CPU", unit: "ms", values: samples.atOnceLater ?? [] },
    { name: "over 5 s, CPU", unit: "ms", values: samples.slow ?? [], goal: within(800) },
    { name: "over 5 s after 150 turns, CPU", unit: "ms", values: samples.slowLater ?? [] },
  ];
}

function within(atMost: number): NonNullable<Row["goal"]> {
  return { kind: "median", atMost };
}

/** Makes the newest session of a workspace 150 turns longer, as if they had been said in it. */
async function addLongSession(at: Scratch): Promise<void> {
  const dir = `${at.env.HARNESS_HOME}/sessions`;
  const [file] = await Array.fromAsync(Deno.readDir(dir)).then((entries) =>
    entries.filter(({ isFile, name }) => isFile && name.endsWith(".jsonl"))
  );
  if (file === undefined) throw new Error(`No session is in ${dir}`);
  const lines = session(TURNS).map((record) => `${JSON.stringify(record)}\n`);
  await Deno.writeTextFile(`${dir}/${file.name}`, lines.join(""), { append: true });
}
