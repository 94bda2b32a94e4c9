/** What holds for every wire of the list: the same scripts, told over each real stream format. */
import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { ProviderError, type ProviderEvent } from "@/protocol/provider.ts";
import { PROVIDERS } from "@/provider/mod.ts";
import { gist, messageOf, PIXEL, requestOf, result, user } from "../support/conversation.ts";
import type { Fault, Part, ScriptedReply } from "../support/scripted_reply.ts";
import { calm, collect } from "../support/wire_options.ts";
import { WIRES, withWire } from "../support/wires.ts";

const FULL: ScriptedReply = {
  thinking: "Let me think — 생각 🤔 first. ",
  text: 'I read “both” files: 파일 😀 and \\n "quoted" ones.',
  calls: [
    { name: "read_file", arguments: { filepath: "가.py", start: 3 }, id: "call_a" },
    { name: "git_status", arguments: {}, id: "call_b" },
    {
      name: "read_file",
      arguments: { filepath: 'b "x" \\ \n.py', nested: { list: [1, null, "😀"] } },
      id: "call_c",
    },
  ],
  usage: { input: 120, output: 30 },
};
const HELLO: ScriptedReply = { text: "Hello there, friend." };
const ASK = [user("Read both files.")];

function textOf(events: readonly ProviderEvent[], channel = "text"): string {
  return events.flatMap((event) =>
    event.type === "delta" && event.channel === channel ? [event.text] : []
  ).join("");
}

function doneOf(events: readonly ProviderEvent[]): Extract<ProviderEvent, { type: "done" }> {
  const last = events.at(-1);
  ok(last?.type === "done");
  return last;
}

function callsOf(events: readonly ProviderEvent[]) {
  return events.flatMap((event) => event.type === "tool_call" ? [event] : []);
}

function retriesOf(events: readonly ProviderEvent[]) {
  return events.flatMap((event) => event.type === "retry" ? [event] : []);
}

Deno.test("PROVIDERS has a wire under test for each provider that is reached", () => {
  const reached = PROVIDERS.filter((provider) => provider.reached !== undefined).map(({ name }) =>
    name
  );
  equal([...new Set(WIRES.map(({ provider }) => provider))], reached);
});

for (const under of WIRES) {
  const { wire, model, has } = under;
  const request = (messages = ASK) =>
    requestOf(model, messages, { hints: has.thinking ? { thinking: "adaptive" } : {} });
  const test = (name: string, body: () => Promise<void>) => Deno.test(`${wire}: ${name}`, body);

  /** The events of one reply. */
  const reply = async (
    script: ScriptedReply | ScriptedReply[],
    options = {},
  ): Promise<ProviderEvent[]> => {
    let events: ProviderEvent[] = [];
    await withWire(under, [script].flat(), async (provider) => {
      events = await collect(provider.stream(request(), calm()));
    }, options);
    return events;
  };

  test("stream() gives thinking, text and calls in order, whole", async () => {
    const events = await reply(FULL);
    const calls = callsOf(events);
    equal(textOf(events), FULL.text);
    if (has.thinking) equal(textOf(events, "thinking"), FULL.thinking);
    equal(
      calls.map(({ name, input }) => ({ name, input })),
      FULL.calls?.map(({ name, arguments: input }) => ({ name, input })),
    );
    equal(new Set(calls.map(({ id }) => id)).size, 3);
    if (has.ids) equal(calls.map(({ id }) => id), ["call_a", "call_b", "call_c"]);
    const done = doneOf(events);
    equal([done.stop, done.model], ["tool_calls", model]);
    equal(done.usage, { input: 120, output: 30, cacheRead: 0, cacheWrite: 0 });
    const order = events.map((event) => event.type === "delta" ? event.channel : event.type).filter(
      (name) => name !== "block_end",
    );
    const firsts = [...new Set(order)];
    equal(
      firsts,
      has.thinking ? ["thinking", "text", "tool_call", "done"] : ["text", "tool_call", "done"],
    );
  });

  test("stream() gives the same events however the bytes are cut", async () => {
    const whole = gist(await reply(FULL));
    for (const cut of [1, 7, 64]) {
      for (const lineEnd of ["\n", "\r\n"] as const) {
        equal(
          gist(await reply({ ...FULL, cut, lineEnd })),
          whole,
          `${cut} bytes, ${JSON.stringify(lineEnd)}`,
        );
      }
    }
  });

  test("stream() reads arguments that are missing or empty as none", async () => {
    const events = await reply({
      calls: [{ name: "git_status", arguments: "" }, { name: "git_status", arguments: {} }, {
        name: "git_status",
        arguments: "{}",
      }],
    });
    equal(
      callsOf(events).map(({ input, damage }) => [input, damage]),
      Array(3).fill([{}, undefined]),
    );
    equal(doneOf(events).stop, "tool_calls");
  });

  test("stream() hands arguments that are no JSON on as text, with the damage named", async () => {
    const events = await reply({
      calls: [{ name: "read_file", arguments: '{"filepath": "a' }, {
        name: "git_status",
        arguments: {},
      }],
    });
    const [broken, whole] = callsOf(events);
    equal([broken?.input, whole?.input], ['{"filepath": "a', {}]);
    match(broken?.damage ?? "", /not valid JSON/);
    equal(whole?.damage, undefined);
  });

  test("stream() gives calls of one id, or none, ids of their own that stay", async () => {
    const script: ScriptedReply[] = [
      {
        calls: [{ name: "read_file", arguments: {}, id: "same" }, {
          name: "read_file",
          arguments: {},
          id: "same",
        }, { name: "git_status", arguments: {}, id: null }],
      },
      { calls: [{ name: "read_file", arguments: {}, id: "same" }] },
      HELLO,
    ];
    await withWire(under, script, async (provider, api) => {
      const messages = [...ASK];
      const ids: string[] = [];
      for (let turn = 0; turn < 2; turn += 1) {
        const events = await collect(provider.stream(request(messages), calm()));
        const calls = callsOf(events);
        ids.push(...calls.map(({ id }) => id));
        messages.push(messageOf(events), ...calls.map(({ id, name }) => result(id, "x", { name })));
      }
      equal(new Set(ids).size, 4, ids.join());
      ok(ids.every((id) => /^[a-zA-Z0-9_-]{1,40}$/.test(id)));
      await collect(provider.stream(request(messages), calm()));
      equal(api.bodies.length, 3);
    });
  });

  test("stream() reports a reply that the cap cut, and one that is empty", async () => {
    const cut = await reply({ text: "And so", stop: "length" });
    equal([textOf(cut), doneOf(cut).stop], ["And so", "length"]);
    const empty = await reply({ text: "" });
    equal([textOf(empty), doneOf(empty).stop, callsOf(empty).length], ["", "end", 0]);
  });

  if (has.refusals) {
    test("stream() ends with a refusal, paid for and no error", async () => {
      const events = await reply({
        text: "I will",
        stop: "refusal",
        usage: { input: 9, output: 2 },
      });
      equal([doneOf(events).stop, doneOf(events).usage.input], ["refusal", 9]);
    });
  }

  if (has.cacheCounts) {
    test("stream() counts four kinds of tokens that never overlap", async () => {
      const usage = { input: 1_000, output: 50, cacheRead: 700, cacheWrite: 0, thinking: 20 };
      equal(doneOf(await reply({ text: "x", usage })).usage, {
        input: 1_000,
        output: 50,
        cacheRead: 700,
        cacheWrite: 0,
      });
    });
  }

  test("stream() tries a reply again that broke, and delivers nothing of it twice", async () => {
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
    test("stream() takes an error inside the stream as its HTTP form", async () => {
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

  test("stream() breaks off a reply that is silent, whatever pings come", async () => {
    const limits = { firstTokenMs: 120, idleMs: 120, retriesMax: 0 };
    const stalls: [Fault, RegExp][] = [
      [{ kind: "stall", at: "headers" }, /sent nothing/],
      [{ kind: "stall", at: "text", pings: true }, has.thinking ? /fell silent/ : /sent nothing/],
      [{ kind: "stall", at: "end", pings: true }, /fell silent/],
    ];
    for (const [fault, text] of stalls) {
      await withWire(under, [{ ...FULL, fault }], async (provider, api) => {
        await rejects(collect(provider.stream(request(), calm())), text);
        await api.leaving();
      }, limits);
    }
  });

  test("stream() stops at once when it is interrupted, and the server sees it", async () => {
    for (const at of ["headers", "text", "call", "end"] as const) {
      await withWire(under, [{ ...FULL, fault: { kind: "stall", at } }], async (provider, api) => {
        const interrupt = new AbortController();
        const events: ProviderEvent[] = [];
        const reading = (async () => {
          for await (const event of provider.stream(request(), interrupt.signal)) {
            events.push(event);
          }
        })();
        await new Promise((resolve) => setTimeout(resolve, 60));
        const started = performance.now();
        interrupt.abort(new Error("stopped by the person"));
        await reading.catch((error: unknown) => {
          if (!(error instanceof Error) || error.message !== "stopped by the person") throw error;
        });
        await api.leaving();
        ok(performance.now() - started < 100, at);
        equal(callsOf(events), [], "calls of a reply that was interrupted are never handed on");
      });
    }
  });

  test("stream() sends the same bytes in front from request to request", async () => {
    await withWire(under, [FULL, HELLO], async (provider, api) => {
      const first = await collect(provider.stream(request(), calm()));
      const messages = [
        ...ASK,
        messageOf(first),
        ...callsOf(first).map(({ id, name }) => result(id, "x", { name })),
      ];
      await collect(provider.stream(request(messages), calm()));
      const [one = {}, two = {}] = api.bodies as Record<string, unknown>[];
      for (const key of ["system", "systemInstruction", "instructions", "tools"]) {
        equal(JSON.stringify(two[key]), JSON.stringify(one[key]), key);
      }
      equal(Object.keys(one), Object.keys(two), "keys stand in one order");
    });
  });

  test("stream() takes images where the API does", async () => {
    const image = { type: "image" as const, mime: "image/png", data: PIXEL };
    await withWire(under, [FULL, HELLO], async (provider, api) => {
      const first = await collect(provider.stream(request([user("See", image)]), calm()));
      const results = callsOf(first).map(({ id, name }, at) =>
        result(id, "x", { name, ...(at === 0 ? { parts: [image] } : {}) })
      );
      await collect(
        provider.stream(request([user("See", image), messageOf(first), ...results]), calm()),
      );
      const sent = JSON.stringify(api.bodies[1]);
      equal(sent.split(PIXEL.toBase64()).length - 1, 2);
    });
  });
}
