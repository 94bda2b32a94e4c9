import { deepStrictEqual as equal, ok } from "node:assert/strict";
import type { DurableEvent } from "@/protocol/event.ts";
import { ProviderError } from "@/protocol/provider.ts";
import { loop, say } from "../support/loop.ts";
import { calls, says, scriptedProvider } from "../support/scripted_provider.ts";

/** The places of the items that were replaced. */
function replaced(log: readonly DurableEvent[]): number[] {
  return log.flatMap((event) => event.type === "replaced" ? [event.index] : []);
}

Deno.test("say() replaces for good an item that the server rejects, and tries again", async () => {
  const provider = scriptedProvider([
    calls([{ name: "echo", input: { text: "y".repeat(500) } }]),
    { events: [], fault: new ProviderError("too_large", "413") },
    says("fine"),
  ]);
  const { harness, log } = loop({ provider });
  equal((await say(harness)).stop, "end");
  const last = provider.requests.at(-1)?.messages.at(-1);
  ok(last?.role === "tool" && /^\[removed/.test(last.result.text));
  equal(replaced(log), [2]);
});

Deno.test("say() replaces the item that the server named, also when it called the request invalid", async () => {
  for (const kind of ["too_large", "invalid_request"] as const) {
    const large = "y".repeat(500);
    const provider = scriptedProvider([
      calls([{ name: "echo", input: { text: "small" } }, { name: "echo", input: { text: large } }]),
      { events: [], fault: new ProviderError(kind, "no", { messageIndex: 2 }) },
      says("fine"),
    ]);
    const { harness, log } = loop({ provider });
    equal((await say(harness)).answer, "fine");
    const [small, other] = provider.requests.at(-1)?.messages.slice(2) ?? [];
    ok(small?.role === "tool" && /^\[removed/.test(small.result.text), kind);
    ok(other?.role === "tool" && other.result.text === large, kind);
    equal(replaced(log), [2]);
  }
});

Deno.test("say() gives up on an item that the server rejects again, and on one that is not there", async () => {
  for (
    const [kind, messageIndex, times] of [
      ["invalid_request", 1, 1],
      ["too_large", 1, 1],
      ["too_large", 7, 0],
      ["invalid_request", undefined, 0],
    ] as const
  ) {
    const where = messageIndex === undefined ? {} : { messageIndex };
    const fault = { events: [], fault: new ProviderError(kind, "no", where) };
    const { harness, log } = loop({
      provider: scriptedProvider([calls([{ name: "echo", input: { text: "x" } }]), fault, fault]),
    });
    equal((await say(harness)).stop, "error");
    equal(replaced(log).length, times, `${kind} ${messageIndex}`);
  }
});

Deno.test("say() asks again what has to be known before every turn, also after an overflow", async () => {
  let asked = 0;
  const prepare = () => Promise.resolve(void (asked += 1));
  const overflow = { events: [], fault: new ProviderError("overflow", "too long") };
  const provider = scriptedProvider([overflow, says("fits")]);
  const { harness } = loop({ provider, prepare });
  equal((await say(harness)).stop, "limit");
  equal([(await say(harness)).answer, asked], ["fits", 2]);
});
