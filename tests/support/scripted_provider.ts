/** A provider that plays a script in memory, for tests of the loop; it refuses what every API refuses. */
import type { Provider, ProviderEvent, Request } from "@/protocol/provider.ts";
import { assertAnswered } from "./assert_answered.ts";

/** One reply: events to yield, then optionally something to throw, or a pause until the signal fires. */
export type Reply = {
  events: readonly ProviderEvent[];
  fault?: unknown;
  hang?: boolean;
};

export type Scripted = Provider & { requests: Request[] };

/** Plays replies in order; past the end it answers "done". */
export function scriptedProvider(script: readonly Reply[]): Scripted {
  const requests: Request[] = [];
  return {
    name: "scripted",
    requests,
    async *stream(request: Request, signal: AbortSignal): AsyncGenerator<ProviderEvent> {
      assertAnswered(request.messages);
      const reply = script[requests.length] ?? says("done");
      requests.push(request);
      for (const event of reply.events) {
        signal.throwIfAborted();
        yield event;
        await Promise.resolve();
      }
      if (reply.fault !== undefined) throw reply.fault;
      if (reply.hang === true) await aborted(signal);
    },
  };
}

const USAGE = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 };

/** A reply of text. */
export function says(text: string, stop: "end" | "length" | "refusal" = "end"): Reply {
  const done: ProviderEvent = { type: "done", stop, usage: USAGE, model: "m" };
  return text === ""
    ? { events: [done] }
    : { events: [{ type: "delta", channel: "text", text }, done] };
}

/** A reply of calls, with optional text before them. */
export function calls(
  list: readonly { name: string; input?: unknown; id?: string; damage?: string }[],
  more: { text?: string; stop?: "tool_calls" | "length" } = {},
): Reply {
  const events: ProviderEvent[] = [];
  if (more.text !== undefined) events.push({ type: "delta", channel: "text", text: more.text });
  list.forEach(({ name, input = {}, id = "c", damage }) =>
    events.push({ type: "tool_call", id, name, input, ...(damage === undefined ? {} : { damage }) })
  );
  events.push({ type: "done", stop: more.stop ?? "tool_calls", usage: USAGE, model: "m" });
  return { events };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
