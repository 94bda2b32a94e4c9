import assert from "node:assert/strict";
import { fc } from "../support/property.ts";
import type { Message, ToolCallBlock } from "@/protocol/message.ts";
import { NO_USAGE, type Provider, type ProviderEvent, type Request } from "@/protocol/provider.ts";
import { textCallsFromNative, withTextProtocol } from "@/provider/text_protocol.ts";
import { READ, tagged, TOOLS } from "./tool_text/tools.ts";

type Stop = "end" | "tool_calls" | "length" | "refusal" | "abort";

/** A provider that says what it is told to, and keeps what it was asked. */
class Scripted implements Provider {
  readonly name = "scripted";
  readonly requests: Request[] = [];
  readonly #events: readonly ProviderEvent[];

  constructor(events: readonly ProviderEvent[]) {
    this.#events = events;
  }

  async *stream(request: Request): AsyncGenerator<ProviderEvent> {
    this.requests.push(request);
    yield* this.#events;
  }
}

function says(text: string, stop: Stop = "end", size = 7): ProviderEvent[] {
  const events: ProviderEvent[] = [];
  for (let at = 0; at < text.length; at += size) events.push(delta(text.slice(at, at + size)));
  return [...events, done(stop)];
}

function delta(text: string, channel: "text" | "thinking" = "text"): ProviderEvent {
  return { type: "delta", channel, text };
}

function done(stop: Stop): ProviderEvent {
  return { type: "done", stop, usage: NO_USAGE, model: "m" };
}

function request(messages: readonly Message[] = [], tools = TOOLS): Request {
  return { model: "m", system: "Be brief.", messages, tools, outputTokensMax: 100, hints: {} };
}

type Collected = {
  text: string;
  thinking: string;
  calls: Extract<ProviderEvent, { type: "tool_call" }>[];
  others: ProviderEvent[];
  stop: string | undefined;
};

async function collect(
  wrap: typeof withTextProtocol,
  events: readonly ProviderEvent[],
  asked = request(),
): Promise<Collected> {
  let id = 0;
  const provider = wrap(new Scripted(events), { newId: () => `id${++id}` });
  return await gather(provider, asked);
}

async function gather(provider: Provider, asked: Request): Promise<Collected> {
  const got: Collected = { text: "", thinking: "", calls: [], others: [], stop: undefined };
  for await (const event of provider.stream(asked, new AbortController().signal)) {
    if (event.type === "delta") got[event.channel] += event.text;
    else if (event.type === "tool_call") got.calls.push(event);
    else if (event.type === "done") got.stop = event.stop;
    else {
      if (event.type === "retry" && event.discarded) got.text = got.thinking = "";
      got.others.push(event);
    }
  }
  return got;
}

const WRITE = tagged(
  '{"name": "write_file", "arguments": {"filepath": "a.md"}}\n<content>\nx\n</content>',
);

Deno.test("withTextProtocol() turns the calls of a reply into events at its end", async () => {
  const got = await collect(withTextProtocol, says(`I write.\n${WRITE}\n${tagged(READ)}`));
  assert.equal(got.text, "I write.\n");
  assert.deepEqual(got.calls, [
    {
      type: "tool_call",
      id: "id1",
      name: "write_file",
      input: { filepath: "a.md", content: "x" },
      raw: ["content"],
    },
    { type: "tool_call", id: "id2", name: "read_file", input: { filepath: "a.ts" } },
  ]);
  assert.equal(got.stop, "tool_calls");
});

Deno.test("withTextProtocol() passes an answer on as it is", async () => {
  const answer = 'Here:\n```json\n{"a": 1}\n```\nThat is `<tool_call>` for you.';
  const got = await collect(withTextProtocol, says(answer, "end", 3));
  assert.deepEqual([got.text, got.calls, got.others, got.stop], [answer, [], [], "end"]);
});

Deno.test("withTextProtocol() hands a call that was cut to the loop as damaged (D15)", async () => {
  const got = await collect(withTextProtocol, says(WRITE.slice(0, -30), "length"));
  const [call] = got.calls;
  assert.equal(call?.name, "write_file");
  assert.match(call?.damage ?? "", /output limit inside this call/);
  assert.equal(got.stop, "tool_calls");
  assert.match(JSON.stringify(got.others), /could not be used and did not run \(it was cut off\)/);
});

Deno.test("withTextProtocol() gives what has no usable name one that every API takes", async () => {
  const nameless = await collect(withTextProtocol, says(tagged('{"arguments": {}}')));
  assert.equal(nameless.calls[0]?.name, "unreadable_call");
  const odd = await collect(
    withTextProtocol,
    says(tagged('{"name": "über flug", "arguments": {}}')),
  );
  assert.equal(odd.calls[0]?.name, "unreadable_call");
  const unknown = await collect(withTextProtocol, says(tagged('{"name": "fly", "arguments": {}}')));
  assert.equal(unknown.calls[0]?.name, "fly");
  assert.match(unknown.calls[0]?.damage ?? "", /no tool is named "fly"/);
});

Deno.test("withTextProtocol() tells of a call inside reasoning once, and runs none (D16)", async () => {
  const got = await collect(
    withTextProtocol,
    says(`<think>${tagged(READ)}${tagged(READ)}</think>`),
  );
  assert.equal(got.calls.length, 1);
  assert.match(got.calls[0]?.damage ?? "", /inside reasoning does not count/);
  const answered = await collect(withTextProtocol, says(`<think>${tagged(READ)}</think>No.`));
  assert.deepEqual([answered.calls, answered.text], [[], "No."]);
});

Deno.test("withTextProtocol() runs a call to a tool without parameters (D17)", async () => {
  const got = await collect(
    withTextProtocol,
    says(tagged('{"name": "git_status", "arguments": ""}')),
  );
  assert.deepEqual(got.calls.map(({ name, input, damage }) => [name, input, damage]), [
    ["git_status", {}, undefined],
  ]);
});

Deno.test("withTextProtocol() calls nothing after a refusal or an interrupt", async () => {
  for (const stop of ["refusal", "abort"] as const) {
    const got = await collect(withTextProtocol, says(tagged(READ), stop));
    assert.deepEqual([got.calls, got.stop], [[], stop]);
  }
});

Deno.test("withTextProtocol() shows reasoning as reasoning, and no blank lines behind it", async () => {
  const got = await collect(withTextProtocol, says("<think>\nhm\n</think>\n\n  Yes.", "end", 4));
  assert.deepEqual([got.text, got.thinking], ["  Yes.", "\nhm\n"]);
});

Deno.test("withTextProtocol() voids reasoning that was shown as text", async () => {
  const got = await collect(withTextProtocol, says("I should look.\n</think>\nHello.", "end", 4));
  assert.deepEqual([got.text, got.thinking], ["Hello.", "I should look.\n"]);
  assert.deepEqual(got.others, [{
    type: "retry",
    reason: "what was shown was reasoning",
    attempt: 0,
    waitMs: 0,
    discarded: true,
  }]);
});

Deno.test("withTextProtocol() starts over when the request does", async () => {
  const retry = { type: "retry", reason: "lost", attempt: 1, waitMs: 5, discarded: true } as const;
  const events = [delta("Hm <tool_call>{"), retry, ...says(`Now. ${tagged(READ)}`)];
  const got = await collect(withTextProtocol, events);
  assert.deepEqual([got.text, got.calls.length, got.others], ["Now. ", 1, [retry]]);
});

Deno.test("withTextProtocol() passes calls on that came as calls, and then reads none", async () => {
  const native = { type: "tool_call", id: "x", name: "git_status", input: {} } as const;
  const events = [delta("So "), delta(tagged(READ)), native, done("tool_calls")];
  const got = await collect(withTextProtocol, events);
  assert.deepEqual([got.calls, got.stop, got.text], [[native], "tool_calls", "So "]);
});

Deno.test("withTextProtocol() offers the tools in the system prompt and not in the request", async () => {
  const inner = new Scripted(says("Hi"));
  await gather(withTextProtocol(inner), request());
  const [asked] = inner.requests;
  assert.deepEqual(asked?.tools, []);
  assert.match(asked?.system ?? "", /^Be brief\.\n\n# Tools\n/);
});

Deno.test("withTextProtocol() adds nothing where no tools are offered", async () => {
  const inner = new Scripted(says(`A call is ${tagged(READ)}.`));
  const got = await gather(withTextProtocol(inner), request([], []));
  assert.equal(inner.requests[0]?.system, "Be brief.");
  assert.deepEqual([got.text, got.calls], [`A call is ${tagged(READ)}.`, []]);
});

const HISTORY: readonly Message[] = [
  { role: "user", content: [{ type: "text", text: "Go." }], origin: "person" },
  {
    role: "assistant",
    stop: "tool_calls",
    content: [
      { type: "thinking", text: "secret" },
      { type: "text", text: "I write.\n" },
      call("c1", "write_file", { filepath: "a.md", content: "x\ny" }),
      call("c2", "run_cmd", { command: "ls" }),
      { ...call("c3", "read_file", { filepath: "half" }), damage: "it was cut" },
    ],
  },
  result("c1", "write_file", "Written."),
  { role: "tool", callId: "c2", name: "run_cmd", result: { status: "failed", text: "exit 1" } },
  {
    role: "tool",
    callId: "c3",
    name: "read_file",
    result: { status: "not_run", text: "it was cut" },
  },
];

function call(id: string, name: string, input: unknown): ToolCallBlock {
  return { type: "tool_call", id, name, input };
}

function result(callId: string, name: string, text: string): Message {
  return { role: "tool", callId, name, result: { status: "ok", text } };
}

Deno.test("withTextProtocol() replays calls in the taught form and results as one message", async () => {
  const inner = new Scripted(says("Hi"));
  await gather(withTextProtocol(inner), request(HISTORY));
  assert.deepEqual(inner.requests[0]?.messages, [
    HISTORY[0],
    {
      role: "assistant",
      stop: "end",
      content: [{
        type: "text",
        text: [
          "I write.",
          "<tool_call>",
          '{"name": "write_file", "arguments": {"filepath": "a.md"}}',
          "<content>\nx\ny\n</content>",
          "</tool_call>",
          tagged('{"name": "run_cmd", "arguments": {"command": "ls"}}'),
        ].join("\n"),
      }],
    },
    {
      role: "user",
      origin: "hook",
      content: [
        { type: "text", text: "[Tool Result for 'write_file']:\nWritten." },
        {
          type: "text",
          text: "[Tool Result for 'run_cmd']:\n[Error] run_cmd(command='ls'): exit 1",
        },
        { type: "text", text: "[Tool Result for 'read_file']:\n[System] Not run: it was cut" },
      ],
    },
  ]);
});

Deno.test("withTextProtocol() never shows a model its own broken call", async () => {
  const broken: Message[] = [
    {
      role: "assistant",
      stop: "tool_calls",
      content: [{ ...call("c", "read_file", {}), damage: "x" }],
    },
    { role: "tool", callId: "c", name: "read_file", result: { status: "not_run", text: "x" } },
  ];
  const inner = new Scripted(says("Hi"));
  await gather(withTextProtocol(inner), request(broken));
  assert.deepEqual(inner.requests[0]?.messages.map(({ role }) => role), ["user"]);
});

Deno.test("withTextProtocol() keeps the start of a history byte for byte as it grows", async () => {
  const inner = new Scripted(says("Hi"));
  const provider = withTextProtocol(inner);
  const next: Message = {
    role: "user",
    content: [{ type: "text", text: "On." }],
    origin: "person",
  };
  await gather(provider, request(HISTORY));
  await gather(provider, request([...HISTORY, next]));
  const [first, second] = inner.requests.map(({ messages }) => messages);
  assert.deepEqual(second?.slice(0, -1), first);
});

Deno.test("withTextProtocol() gives every call another id", async () => {
  const provider = withTextProtocol(new Scripted(says(tagged(READ) + WRITE)));
  const ids = new Set<string>();
  for (let i = 0; i < 5; i += 1) {
    for (const { id } of (await gather(provider, request())).calls) ids.add(id);
  }
  assert.equal(ids.size, 10);
});

Deno.test("textCallsFromNative() runs a certain call, hides it, and says so once for a model", async () => {
  const provider = textCallsFromNative(new Scripted(says(`I read. ${tagged(READ)}`)));
  const first = await gather(provider, request());
  assert.deepEqual([first.text, first.calls.length, first.stop], ["I read. ", 1, "tool_calls"]);
  assert.match(JSON.stringify(first.others), /lack a tool parser/);
  assert.deepEqual((await gather(provider, request())).others, []);
});

Deno.test("textCallsFromNative() leaves what is no certain call an answer", async () => {
  for (const answer of [READ, `\`\`\`json\n${READ}\n\`\`\``, `Use \`${READ}\`.`, "[1, 2]"]) {
    const got = await collect(textCallsFromNative, says(answer));
    assert.deepEqual([got.text, got.calls, got.others, got.stop], [answer, [], [], "end"]);
  }
});

Deno.test("textCallsFromNative() reads no call beside one that came as a call", async () => {
  const native = { type: "tool_call", id: "x", name: "git_status", input: {} } as const;
  const events = [delta(`So. ${tagged(READ)}`), native, done("tool_calls")];
  const got = await collect(textCallsFromNative, events);
  assert.deepEqual([got.calls, got.others, got.stop], [[native], [], "tool_calls"]);
});

Deno.test("textCallsFromNative() hands on what it was asked unchanged", async () => {
  const inner = new Scripted(says("Hi"));
  const asked = request(HISTORY);
  await gather(textCallsFromNative(inner), asked);
  assert.equal(inner.requests[0], asked);
});

Deno.test("textCallsFromNative() keeps the order of text, private data and reasoning", async () => {
  const data = { wire: "w", baseUrl: "b", model: "m", data: 1 };
  const events: ProviderEvent[] = [
    delta("plan", "thinking"),
    { type: "block_end", channel: "thinking", private: data },
    delta("Hello </think>there <"),
    { type: "block_end", channel: "text", private: data },
    done("end"),
  ];
  const provider = textCallsFromNative(new Scripted(events));
  const kinds: string[] = [];
  let text = "";
  for await (const event of provider.stream(request(), new AbortController().signal)) {
    kinds.push(
      event.type === "delta" || event.type === "block_end"
        ? `${event.type} ${event.channel}`
        : event.type,
    );
    if (event.type === "delta" && event.channel === "text") text += event.text;
  }
  assert.equal(text, "Hello there <");
  assert.deepEqual(kinds, [
    "delta thinking",
    "block_end thinking",
    "delta text",
    "delta text",
    "block_end text",
    "done",
  ]);
});

Deno.test("textCallsFromNative() tells a native model of a call that was cut", async () => {
  const got = await collect(textCallsFromNative, says(WRITE.slice(0, -30), "length"));
  assert.equal(got.calls[0]?.name, "write_file");
  assert.match(got.calls[0]?.damage ?? "", /output limit/);
  assert.doesNotMatch(got.calls[0]?.damage ?? "", /block/);
});

Deno.test("both wrappers end every stream with exactly one done, whatever the text", async () => {
  const texts = fc.array(
    fc.constantFrom("<tool_call>", READ, "</tool_call>", "x", "<think>", "`"),
    {
      maxLength: 8,
    },
  );
  await fc.assert(
    fc.asyncProperty(texts, fc.constantFrom("end", "length", "refusal"), async (pieces, stop) => {
      for (const wrap of [withTextProtocol, textCallsFromNative]) {
        const provider = wrap(new Scripted(says(pieces.join(""), stop, 3)));
        const events = await Array.fromAsync(
          provider.stream(request(), new AbortController().signal),
        );
        assert.equal(events.filter(({ type }) => type === "done").length, 1);
        assert.equal(events.at(-1)?.type, "done");
      }
    }),
    { numRuns: 300 },
  );
});
