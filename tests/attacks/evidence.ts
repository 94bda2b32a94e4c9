/** What was seen of an attack: on the screen, by the model, in the session files, on the machine. */
import { join } from "node:path";
import { z } from "zod";
import type { World } from "./world.ts";

/** One call of the attack, and what became of it. `what` is undefined as long as nothing was decided. */
export type Outcome = {
  tool: string;
  input: unknown;
  what: "allow" | "sandbox-allow" | "ask" | "deny" | undefined;
  status: string;
  text: string;
};

export type Evidence = {
  world: World;
  /** Calls of the attack itself, without those that only prepare it or follow it. */
  outcomes: readonly Outcome[];
  screen: Uint8Array;
  screenText: string;
  /** Each question that was put, whole. */
  questions: readonly string[];
  /** Bodies of all requests to the model. */
  requests: readonly string[];
  sessions: string;
  /** Names of the tools that the model was offered. */
  offered: readonly string[];
  isAlive: boolean;
  isTimeout: boolean;
  exit: number | undefined;
  /** From the start, or from what the person said, until the prompt was there again. */
  ms: number;
  /** Of memory, in megabytes, over what it was at the first prompt. */
  growthMb: number;
  ttyLeft: string;
  /** Modes that a file had while it was looked at. */
  modes: ReadonlyMap<string, ReadonlySet<number>>;
  /** Process lines (`ps`) 500 ms after the program was killed; undefined where it was not. */
  afterKill: string | undefined;
  /** Start it once more in the same world: what it then says. */
  again(): Promise<string>;
  /** What `harness policy check` says of a call. */
  policyCheck(call: string): Promise<string>;
};

const decisionSchema = z.object({
  type: z.literal("decision"),
  callId: z.string(),
  asked: z.boolean(),
  decision: z.object({ verdict: z.string(), by: z.string() }),
});
const messageSchema = z.object({
  type: z.literal("message"),
  message: z.union([
    z.object({
      role: z.literal("assistant"),
      content: z.array(z.looseObject({ type: z.string() })),
    }),
    z.object({
      role: z.literal("tool"),
      callId: z.string(),
      result: z.object({ status: z.string(), text: z.string() }),
    }),
  ]),
});
const callSchema = z.object({ id: z.string(), name: z.string(), input: z.unknown() });

/** The calls that these session files tell of, in the order in which they were made. */
export function outcomesIn(sessions: string, isSandboxed: boolean): Outcome[] {
  const outcomes = new Map<string, Outcome>();
  for (const line of sessions.split("\n")) {
    const event = eventOf(line);
    const message = messageSchema.safeParse(event).data?.message;
    if (message?.role === "assistant") {
      for (const block of message.content) {
        const call = block.type === "tool_call" ? callSchema.safeParse(block).data : undefined;
        if (call === undefined) continue;
        const { id, name: tool, input } = call;
        outcomes.set(id, { tool, input, what: undefined, status: "", text: "" });
      }
    } else if (message?.role === "tool") {
      const outcome = outcomes.get(message.callId);
      if (outcome !== undefined) Object.assign(outcome, message.result);
    }
    const decided = decisionSchema.safeParse(event).data;
    const outcome = outcomes.get(decided?.callId ?? "");
    if (decided !== undefined && outcome !== undefined) {
      outcome.what = whatOf(decided, outcome, isSandboxed);
    }
  }
  return [...outcomes.values()];
}

function whatOf(
  { asked, decision }: z.infer<typeof decisionSchema>,
  { tool, input }: Outcome,
  isSandboxed: boolean,
): Outcome["what"] {
  if (asked) return "ask";
  if (decision.verdict !== "allow") return "deny";
  const isProgram = tool === "run_cmd" || tool === "run_python";
  const leaves = typeof input === "object" && input !== null && "outside_sandbox" in input;
  return decision.by === "sandbox" || isProgram && isSandboxed && !leaves
    ? "sandbox-allow"
    : "allow";
}

function eventOf(line: string): unknown {
  try {
    const record: unknown = JSON.parse(line);
    return typeof record === "object" && record !== null && "event" in record
      ? record.event
      : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined; // A planted file, or a line that is being written.
  }
}

/** All session files that the program wrote, one after the other. */
export async function sessionText(state: string): Promise<string> {
  return (await logsIn(join(state, "sessions"))).join("\n");
}

/** The same of its sub-agents. */
export async function agentText(state: string): Promise<string> {
  const sessions = join(state, "sessions");
  const texts: string[] = [];
  for (const { name, isDirectory } of await entriesOf(sessions)) {
    if (isDirectory && name.endsWith(".agents")) texts.push(...await logsIn(join(sessions, name)));
  }
  return texts.join("\n");
}

async function logsIn(dir: string): Promise<string[]> {
  for (;;) {
    const logs = (await entriesOf(dir)).filter(({ name, isFile }) =>
      isFile && name.endsWith(".jsonl")
    );
    try {
      return await Promise.all(logs.map(({ name }) => Deno.readTextFile(join(dir, name))));
    } catch (error) {
      // A session that has just been given its title has another name now.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

async function entriesOf(dir: string): Promise<Deno.DirEntry[]> {
  try {
    return await Array.fromAsync(Deno.readDir(dir));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return [];
  }
}

/** Number of turns that have ended. */
export function turnsEnded(sessions: string): number {
  return sessions.split('"type":"turn_end"').length - 1;
}
