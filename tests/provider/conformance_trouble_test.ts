/** What every wire of the list does when something goes wrong: retry, refusal, silence, interrupt. */
import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { ProviderError, type ProviderEvent } from "@/protocol/provider.ts";
import {
  ASK,
  callsOf,
  FULL,
  HELLO,
  replyOver,
  requestFor,
  retriesOf,
  textOf,
} from "../support/wire_replies.ts";
import type { Fault, Part, ScriptedReply } from "../support/scripted_reply.ts";
import { calm, collect, type TestOptions } from "../support/wire_options.ts";
import { WIRES, withWire } from "../support/wires.ts";

for (const under of WIRES) {
  const { wire, has } = under;
  const request = (messages = ASK) => requestFor(under, messages);
  const reply = (script: ScriptedReply | ScriptedReply[], options: TestOptions = {}) =>
    replyOver(under, script, options);
  const test = (name: string, body: () => Promise<void>) => Deno.test(`${wire}: ${name}`, body);

  test("stream() tries a reply again that broke, and delivers nothing of it twice (check 5)", async () => {
    const parts: ("headers" | Part)[] = ["headers", "start", "text", "call", "end"];
    for (const kind of ["drop", "end"] as const) {
      for (const at of parts) {
        if (kind === "end" && at === "headers") continue;
        const fault = { kind, at } as Fault;
        const waits: number[] = [];
        const events = await reply([{ ...FULL, fault }, { ...FULL, text: "Second try." }], {
          waits,
        });
        const place = `${kind} at ${at}`;
        const [retry] = retriesOf(events);
        ok(retry !== undefined && (waits[0] ?? 999) <= 300, place);
        const voided = textOf(events.slice(0, events.indexOf(retry))) +
          textOf(events.slice(0, events.indexOf(retry)), "thinking");
        equal(retry.discarded, voided !== "", place);
        equal(textOf(events.slice(events.indexOf(retry))), "Second try.", place);
        equal(callsOf(events).length, 3, place);
      }
    }
  });

  test("stream() ends with the sentence when every try broke", async () => {
    const broken: ScriptedReply = { ...HELLO, fault: { kind: "end", at: "end" } };
    await rejects(reply([broken, broken], { retriesMax: 1 }), (error: unknown) => {
      ok(error instanceof ProviderError);
      equal(error.kind, "connection");
      match(error.message, /ended before it was complete \(tried 2 times\)$/);
      return true;
    });
  });

  // Case D22 of the user pains.
  test("stream() tries again on the statuses that pass, waiting as asked", async () => {
    for (const status of [408, 409, 429, 500, 503, 529]) {
      const waits: number[] = [];
      const fault: Fault = {
        kind: "status",
        status,
        headers: { "retry-after": "2" },
        body: { error: { message: "later" } },
      };
      const events = await reply([{ fault }, HELLO], { waits });
      equal(
        [
          retriesOf(events).map(({ waitMs, attempt, discarded }) => [waitMs, attempt, discarded]),
          waits,
        ],
        [[[2_000, 1, false]], [2_000]],
        String(status),
      );
      equal(textOf(events), HELLO.text);
    }
  });

  test("stream() does not try again what is refused for good", async () => {
    const refusals: [number, object, string][] = [
      [400, { error: { message: "no such thing" } }, "invalid_request"],
      [401, { error: { message: "bad key" } }, "auth"],
      [403, { error: { message: "not yours" } }, "auth"],
      [413, { error: { message: "too many bytes" } }, "too_large"],
      [429, { error: { message: "no money", code: "insufficient_quota" } }, "quota"],
    ];
    for (const [status, body, kind] of refusals) {
      const waits: number[] = [];
      await rejects(
        reply([{ fault: { kind: "status", status, body } }, HELLO], { waits }),
        (error: unknown) => {
          ok(error instanceof ProviderError);
          equal([error.kind, error.status, waits], [kind, status, []]);
          return true;
        },
      );
    }
  });

  if (has.errorsInStream) {
    test("stream() takes an error inside the stream as its HTTP form (check 6)", async () => {
      const fault: Fault = { kind: "error", at: "text", message: "the engine stopped" };
      const events = await reply([{ ...HELLO, fault }, HELLO]);
      equal([
        retriesOf(events).length,
        textOf(events.slice(events.findIndex(({ type }) => type === "retry"))),
      ], [1, HELLO.text]);
      const late: Fault = { ...fault, at: "end" };
      await rejects(reply([{ ...HELLO, fault: late }], { retriesMax: 0 }), (error: unknown) => {
        ok(error instanceof ProviderError);
        equal(error.kind, "overloaded");
        match(error.message, /"the engine stopped"/);
        return true;
      });
    });
  }

  test("stream() breaks off a reply that is silent, whatever pings come (check 40)", async () => {
    // Content may take long to come where the machine is busy.
    const [begins, falls] = [{ firstTokenMs: 120 }, { firstTokenMs: 30_000, idleMs: 120 }];
    const atText: Fault = { kind: "stall", at: "text", pings: true };
    const stalls: [Fault, RegExp, typeof begins][] = [
      [{ kind: "stall", at: "headers" }, /sent nothing/, begins],
      has.thinking ? [atText, /fell silent/, falls] : [atText, /sent nothing/, begins],
      [{ kind: "stall", at: "end", pings: true }, /fell silent/, falls],
    ];
    for (const [fault, text, limits] of stalls) {
      await withWire(under, [{ ...FULL, fault }], async (provider, api) => {
        await rejects(collect(provider.stream(request(), calm())), text);
        await api.leaving();
      }, { ...limits, retriesMax: 0 });
    }
  });

  test("stream() stops at once when it is interrupted, and the server sees it (check 40)", async () => {
    for (const at of ["headers", "text", "call", "end"] as const) {
      await withWire(under, [{ ...FULL, fault: { kind: "stall", at } }], async (provider, api) => {
        const interrupt = new AbortController();
        const events: ProviderEvent[] = [];
        const reading = (async () => {
          for await (const event of provider.stream(request(), interrupt.signal)) {
            events.push(event);
          }
        })();
        // Only what has been asked can be left.
        while (api.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
        await new Promise((resolve) => setTimeout(resolve, 60));
        const started = performance.now();
        interrupt.abort(new Error("stopped by the person"));
        await reading.catch((error: unknown) => {
          if (!(error instanceof Error) || error.message !== "stopped by the person") throw error;
        });
        await api.leaving();
        ok(performance.now() - started < 30_000, at);
        equal(callsOf(events), [], "calls of a reply that was interrupted are never handed on");
      });
    }
  });
}
