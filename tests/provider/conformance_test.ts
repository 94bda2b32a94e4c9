/** What holds for every wire of the list: the same scripts, told over each real stream format. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import type { Message } from "@/protocol/message.ts";
import { PROVIDERS } from "@/provider/mod.ts";
import {
  ASK,
  callsOf,
  doneOf,
  FULL,
  HELLO,
  privateStrings,
  replyOver,
  requestFor,
  textOf,
} from "../support/wire_replies.ts";
import { gist, messageOf, PIXEL, requestOf, result, user } from "../support/conversation.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { calm, collect, type TestOptions } from "../support/wire_options.ts";
import { WIRES, withWire } from "../support/wires.ts";

Deno.test("PROVIDERS has a wire under test for each provider that is reached", () => {
  const reached = PROVIDERS.filter((provider) => provider.reached !== undefined).map(({ name }) =>
    name
  );
  equal([...new Set(WIRES.map(({ provider }) => provider))], reached);
});

for (const under of WIRES) {
  const { wire, model, has } = under;
  const request = (messages = ASK) => requestFor(under, messages);
  const reply = (script: ScriptedReply | ScriptedReply[], options: TestOptions = {}) =>
    replyOver(under, script, options);
  const test = (name: string, body: () => Promise<void>) => Deno.test(`${wire}: ${name}`, body);

  test("stream() gives thinking, text and calls in order, whole (check 7)", async () => {
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

  test("stream() gives the same events however the bytes are cut (check 1)", async () => {
    const ways = [1, 7, 64].flatMap((cut) =>
      (["\n", "\r\n"] as const).map((lineEnd) => ({ cut, lineEnd }))
    );
    await withWire(under, (_, index) => ({ ...FULL, ...ways[index - 1] }), async (provider) => {
      const whole = gist(await collect(provider.stream(request(), calm())));
      for (const way of ways) {
        equal(gist(await collect(provider.stream(request(), calm()))), whole, JSON.stringify(way));
      }
    });
  });

  test("stream() sends nothing before what led to the request is on disk", async () => {
    const onDisk = Promise.withResolvers<void>();
    let isOnDisk = false;
    const script = () => {
      ok(isOnDisk, "it was sent before");
      return HELLO;
    };
    await withWire(under, script, async (provider) => {
      const events = collect(provider.stream({ ...request(), after: onDisk.promise }, calm()));
      // Long enough for a request that waits for nothing.
      await new Promise((resolve) => setTimeout(resolve, 30));
      isOnDisk = true;
      onDisk.resolve();
      equal(textOf(await events), HELLO.text);
    });
  });

  // Case D17 of the user pains.
  test("stream() reads arguments that are missing or empty as none (check 9)", async () => {
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

  test("stream() hands arguments that are no JSON on as text, with the damage named (check 12)", async () => {
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

  test("stream() reports a call that the cap cut, with damage, and as length (check 13)", async () => {
    const calls = [{ name: "read_file", arguments: '{"filepath": "a' }];
    const events = await reply({ calls, stop: "length" });
    const [cut] = callsOf(events);
    equal([callsOf(events).length, doneOf(events).stop], [1, "length"]);
    ok(cut?.damage !== undefined && cut.input !== null && typeof cut.input !== "object");
  });

  test("stream() gives calls of one id, or none, ids of their own that stay (check 11)", async () => {
    const script: ScriptedReply[] = [
      {
        calls: [{ name: "read_file", arguments: { filepath: "a" }, id: "same" }, {
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

  test("stream() reports a reply that the cap cut, and one that is empty (check 15)", async () => {
    const cut = await reply({ text: "And so", stop: "length" });
    equal([textOf(cut), doneOf(cut).stop], ["And so", "length"]);
    const empty = await reply({ text: "" });
    equal([textOf(empty), doneOf(empty).stop, callsOf(empty).length], ["", "end", 0]);
  });

  if (has.refusals) {
    test("stream() ends with a refusal, paid for and no error (check 17)", async () => {
      const events = await reply({
        text: "I will",
        stop: "refusal",
        usage: { input: 9, output: 2 },
      });
      equal([doneOf(events).stop, doneOf(events).usage.input], ["refusal", 9]);
    });
  }

  if (has.cacheCounts) {
    test("stream() counts four kinds of tokens that never overlap (check 18)", async () => {
      const usage = { input: 1_000, output: 50, cacheRead: 700, cacheWrite: 0, thinking: 20 };
      equal(doneOf(await reply({ text: "x", usage })).usage, {
        input: 1_000,
        output: 50,
        cacheRead: 700,
        cacheWrite: 0,
      });
    });
  }

  test("stream() sends the same bytes in front from request to request (check 22)", async () => {
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

  if (has.privates) {
    test("stream() sends private data back as it came, to where it came from and nowhere else (checks 32 and 33)", async () => {
      await withWire(under, [FULL, HELLO, HELLO, HELLO], async (provider, api) => {
        const first = await collect(provider.stream(request(), calm()));
        // Through the session file, and an approval.
        const kept: Message[] = JSON.parse(JSON.stringify([...ASK, messageOf(first)]));
        const results = callsOf(first).map(({ id, name }) => result(id, "x", { name }));
        const messages = [...kept, ...results];
        const secrets = privateStrings(first);
        ok(secrets.length > 0);
        await collect(provider.stream(request(messages), calm()));
        const sent = JSON.stringify(api.bodies[1]);
        for (const secret of secrets) ok(sent.includes(JSON.stringify(secret)), secret);
        const elsewhere = requestOf(under.otherModel, messages, {
          hints: { thinking: "adaptive" },
        });
        await collect(provider.stream(elsewhere, calm()));
        const other = JSON.stringify(api.bodies[2]);
        for (const secret of secrets) ok(!other.includes(JSON.stringify(secret)), secret);
        await collect(provider.stream(request(messages), calm()));
        equal(api.bodies[3], api.bodies[1], "and they are there again after switching back");
        await withWire(under, [HELLO], async (same, there) => {
          await collect(same.stream(request(messages), calm()));
          const moved = JSON.stringify(there.bodies[0]);
          for (const secret of secrets) ok(!moved.includes(JSON.stringify(secret)), secret);
        });
      });
    });
  }
}
