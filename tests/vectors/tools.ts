/** The `tools.table` and `tools.dispatch` vectors against the real tool list, dispatch and loop. */
import { z } from "zod";
import { bind } from "@/agent/bind.ts";
import { goOn } from "@/compose/loop.ts";
import type { DurableEvent } from "@/protocol/event.ts";
import type { ToolResult, ToolSpec } from "@/protocol/tool.ts";
import { DEFAULT_SETTINGS } from "@/settings/settings.ts";
import { resultText } from "@/lib/tool_result.ts";
import { allTools, type ToolParts } from "@/tools/mod.ts";
import { defineTool, definition, ok } from "@/tools/spec.ts";
import { testHost } from "../support/tool_host.ts";
import { loop, type LoopOptions, say } from "../support/loop.ts";
import { calls, scriptedProvider } from "../support/scripted_provider.ts";
import type { Adapter, Adapters } from "./adapter.ts";

// What a tool works with is used when it runs; these vectors read declarations and bind arguments.
const TOOLS = allTools({} as ToolParts);

/** The table of the seed is complete with this many tools; until then its list of names cannot be compared. */
const TABLE_SIZE = 34;

const schemaShape = z.object({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
});

const table: Adapter = (input) => {
  const { tool: name } = z.object({ tool: z.string().optional() }).parse(input);
  if (name === undefined) {
    return TOOLS.length < TABLE_SIZE
      ? undefined
      : { names_at_least: TOOLS.map((tool) => tool.name) };
  }
  const tool = TOOLS.find((one) => one.name === name);
  if (tool === undefined) return undefined;
  const { schema, raw = [] } = definition(tool);
  const { properties, required } = schemaShape.parse(schema);
  const names = Object.keys(properties);
  const optional = names.filter((one) => !required.includes(one));
  return {
    required_native: required,
    optional,
    optional_at_least: optional,
    advertised_text: names.filter((one) => !raw.includes(one)),
    raw_blocks: [...raw],
  };
};

/** The parameters of a call in the order in which the vectors give them. */
const BOUND: Readonly<Record<string, readonly string[]>> = {
  send_input: ["session", "stdin"],
  run_python: ["content", "stdin", "reset"],
  edit_file: ["filepath", "old_content", "new_content"],
  run_cmd: ["command", "stdin"],
};

const dispatchInput = z.object({
  tool: z.string().optional(),
  arguments: z.record(z.string(), z.unknown()).optional(),
  result: z.string().optional(),
  throws: z.string().optional(),
  refusals: z.number().optional(),
  limit: z.number().optional(),
  calls_per_reply: z.number().optional(),
  answer: z.string().optional(),
});

const dispatch: Adapter = async (raw, { expected }) => {
  const input = dispatchInput.parse(raw);
  const { tool = "", result, throws, refusals, limit, calls_per_reply: each } = input;
  if (result !== undefined) {
    const call = { name: tool, input: input.arguments ?? {} };
    return { result: resultText(readResult(result), call) };
  }
  if (throws !== undefined) return await thrown(throws);
  if (refusals !== undefined) return await refusedInARow(refusals);
  if (limit !== undefined && each !== undefined) return { asks_at: await asksAt(limit, each) };
  if (input.answer !== undefined) return await answered(tool, input.answer);
  if (input.arguments === undefined) return await unknown(tool);
  const spec = TOOLS.find((one) => one.name === tool);
  if (spec === undefined) return undefined;
  const bound = bind(spec, input.arguments);
  if (!bound.ok) throw new Error(bound.problem);
  if ("reset" in expected) return { reset: bound.input["reset"] };
  const names = BOUND[tool] ?? Object.keys(bound.input);
  return { bound: names.map((one) => bound.input[one] ?? (one === "reset" ? false : "")) };
};

export const adapters: Adapters = { "tools.table": table, "tools.dispatch": dispatch };

/** What the person's answer to a question of a tool comes to. */
async function answered(name: string, answer: string): Promise<Record<string, unknown>> {
  const tool = allTools({ plans: { onApproved: () => {} } } as ToolParts)
    .find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool "${name}"`);
  const text = "x";
  const { status } = await tool.run(
    { context_discovered: text, diff_blueprint: text, verification_steps: text },
    testHost("/ws", { ask: () => Promise.resolve([answer]) }),
  );
  return {
    counts_as_refusal: status === "denied",
    shown_as: status === "ok" ? "done" : "refused",
  };
}

/** A result as the seed marks it: status is data here. */
function readResult(marked: string): ToolResult {
  const match = /^\[(Error|System)\] ([\s\S]*)$/.exec(marked);
  if (match === null) return { status: "ok", text: marked };
  return { status: match[1] === "Error" ? "failed" : "denied", text: match[2] ?? "" };
}

async function thrown(message: string): Promise<Record<string, unknown>> {
  const tool = defineTool({
    name: "broken",
    description: "Throws.",
    input: z.object({}),
    effect: () => "reads",
    subject: () => ({ kind: "none" }),
    summary: () => "broken",
    run: () => Promise.reject(new Error(message)),
  });
  const { text, requests } = await oneCall({ name: "broken" }, { tools: [tool] });
  return { starts_with: text, turn_continues: requests === 2 };
}

async function unknown(name: string): Promise<Record<string, unknown>> {
  const { text } = await oneCall({ name }, {});
  return { starts_with: text, mentions: text };
}

/** The result of one call as the model reads it, and how many requests the turn made. */
async function oneCall(
  call: { name: string },
  options: Omit<LoopOptions, "provider">,
): Promise<{ text: string; requests: number }> {
  const provider = scriptedProvider([calls([call])]);
  const { harness, log } = loop({ provider, ...options });
  await say(harness);
  for (const event of log) {
    if (event.type !== "message" || event.message.role !== "tool") continue;
    const text = resultText(event.message.result, { name: call.name, input: {} });
    return { text, requests: provider.requests.length };
  }
  throw new Error("The call has no result");
}

async function refusedInARow(count: number): Promise<Record<string, unknown>> {
  const script = Array.from(
    { length: count + 3 },
    (_, n) => calls([{ name: "change", input: { filepath: `f${n}` } }]),
  );
  const deny = () => ({ verdict: "deny", by: "rule", reason: "test" }) as const;
  const { harness, log } = loop({ provider: scriptedProvider(script), guards: [deny] });
  await say(harness);
  return { nudges: log.filter(isHookMessage).length, turn_ended_at: log.filter(isResult).length };
}

function isHookMessage(event: DurableEvent): boolean {
  return event.type === "message" && event.message.role === "user" &&
    event.message.origin === "hook";
}

function isResult(event: DurableEvent): boolean {
  return event.type === "message" && event.message.role === "tool";
}

/** After how many calls the person is asked first. */
async function asksAt(limit: number, each: number): Promise<number> {
  const asked: number[] = [];
  let count = 0;
  const settings = { current: { ...DEFAULT_SETTINGS, MAX_TOOL_CALLS: limit } };
  const asker = () => {
    asked.push(count);
    return Promise.resolve(["no"]);
  };
  const mayGoOn = goOn({ settings, isInteractive: true }, { asker, part: () => "" });
  const echo: ToolSpec = defineTool({
    name: "count",
    description: "Counts.",
    input: z.object({ n: z.string() }),
    effect: () => "reads",
    subject: () => ({ kind: "none" }),
    summary: () => "count",
    run: ({ n }) => {
      count += 1;
      return Promise.resolve(ok(n));
    },
  });
  const script = Array.from(
    { length: limit * 4 },
    (_, reply) =>
      calls(Array.from({ length: each }, (_, n) => ({
        name: "count",
        input: { n: `${reply}.${n}` },
        id: `${reply}.${n}`,
      }))),
  );
  const { harness } = loop({ provider: scriptedProvider(script), tools: [echo], mayGoOn });
  await say(harness);
  const [first] = asked;
  if (first === undefined) throw new Error("Nobody was asked");
  return first;
}
