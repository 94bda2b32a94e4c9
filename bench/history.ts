/** What one more request costs after many calls: checked, fitted to the window, and made into Ollama's body. */
import { ContextFit } from "@/agent/context.ts";
import { HistoryCheck, HistoryFold } from "@/agent/history.ts";
import type { DurableEvent } from "@/protocol/event.ts";
import { jsonBody } from "@/provider/json_body.ts";
import { ollamaBody } from "@/provider/ollama_body.ts";
import { ToolNames } from "@/provider/tool_names.ts";
import type { Row } from "./measure.ts";

const REQUESTS = 50;
const RESULT = "1:f97|a line of some length that stands for a file\n".repeat(4);

type Took = { fit: number; body: number };

/** Checking and fitting look at what is new; a body is as long as what it says. */
export function history(runs: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const calls of [200, 2_000]) {
    const took: Took[] = [];
    for (let run = 0; run < runs; run++) took.push(...afterCalls(calls));
    const goal = { kind: "median", atMost: 1 } as const;
    rows.push(
      { name: `checked, fitted: ${calls}`, unit: "ms", values: took.map(({ fit }) => fit), goal },
      { name: `body, JSON: ${calls}`, unit: "ms", values: took.map(({ body }) => body) },
    );
  }
  return Promise.resolve(rows);
}

function afterCalls(calls: number): Took[] {
  const fold = new HistoryFold();
  const check = new HistoryCheck();
  const context = new ContextFit(() => ({
    model: "m",
    system: "You are careful.",
    tools: [],
    windowTokens: 1_000_000,
    outputTokensMax: 6_144,
    hints: {},
  }));
  const add = (number: number) => {
    for (const event of oneCall(number)) fold.add(event);
  };
  const step = (number: number): Took => {
    add(number);
    const start = performance.now();
    const messages = fold.messages();
    const problem = check.problem(messages);
    if (problem !== undefined) throw new Error(problem);
    const request = context.fit(messages);
    const fitted = performance.now();
    const body = ollamaBody({
      request,
      baseUrl: "http://127.0.0.1",
      names: ToolNames.of(request.tools),
      takesImages: false,
      info: { name: "m" },
      facts: { refusedFields: new Set(), refusedSignatures: new Set(), told: new Set() },
    });
    if (jsonBody(body).length < number * RESULT.length) throw new Error("The body is too short");
    return { fit: fitted - start, body: performance.now() - fitted };
  };
  for (let number = 1; number < calls; number++) add(number);
  step(calls);
  return Array.from({ length: REQUESTS }, (_, at) => step(calls + 1 + at));
}

function oneCall(number: number): DurableEvent[] {
  const id = `call_${number}`;
  const name = "read_file";
  const call = { type: "tool_call", id, name, input: { filepath: "notes.txt" } } as const;
  const result = { status: "ok", text: `${number}\n${RESULT}` } as const;
  return [
    { type: "message", message: { role: "assistant", content: [call], stop: "tool_calls" } },
    { type: "message", message: { role: "tool", callId: id, name, result } },
  ];
}
