/**
 * Every fault of a provider, over each wire, met by the real program: what passes is survived with nothing said or done
 * twice, what stays is told in one sentence, and the session goes on against a strict server either way.
 */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import type { Fault, Part, ScriptedReply } from "../support/scripted_reply.ts";
import { IS_FULL } from "./count.ts";
import { faultWorld, REACHED } from "./world.ts";

const WRITE: ScriptedReply = {
  text: "I write it down.",
  calls: [{ name: "write_file", arguments: { filepath: "a.txt", content: "once\n" }, id: "c1" }],
};
const DONE = "Done, 끝 😀.";
const LIMITS = ["--set", "FIRST_TOKEN_TIMEOUT=1", "--set", "STREAM_IDLE_TIMEOUT=1"];

const parts: readonly Part[] = ["start", "text", "call", "end"];

/** Over and gone at the next try. */
const PASSING: readonly (readonly [string, Fault])[] = [
  ...[408, 429, 500, 502, 503, 504, 529].map((status) =>
    [`status ${status}`, {
      kind: "status",
      status,
      headers: { "retry-after": "0" },
      body: { error: { message: "later", type: "overloaded_error" } },
    }] as const
  ),
  ...(["headers", ...parts] as const).map((at) =>
    [`a drop at ${at}`, { kind: "drop", at }] as const
  ),
  ...parts.map((at) => [`an end at ${at}`, { kind: "end", at }] as const),
  ...(["headers", ...parts] as const).map((at) =>
    [`silence at ${at}`, { kind: "stall", at }] as const
  ),
  ["pings without content", { kind: "stall", at: "text", pings: true }],
  ["overload in mid-stream", {
    kind: "error",
    at: "text",
    message: "Overloaded",
    type: "overloaded_error",
  }],
  ["overload after the call", {
    kind: "error",
    at: "end",
    message: "Overloaded",
    type: "overloaded_error",
  }],
  ["a length that is too long", { kind: "length", off: 500 }],
  ["a length that is too short", { kind: "length", off: -60 }],
];

/** Nothing is wrong: the reply is read all the same. In the long form; each wire's own tests read such replies too. */
const HARMLESS: readonly (readonly [string, Partial<ScriptedReply>])[] = [
  ["bytes one by one", { cut: 1 }],
  ["carriage returns", { cut: 7, lineEnd: "\r\n" }],
];

/** Here to stay. */
const LASTING: readonly (readonly [string, Fault, RegExp])[] = [
  [
    "status 400",
    { kind: "status", status: 400, body: { error: { message: "no such thing" } } },
    /no such thing/,
  ],
  ["status 401", { kind: "status", status: 401, body: { error: { message: "bad key" } } }, /./],
  ["status 403", { kind: "status", status: 403, body: { error: { message: "not yours" } } }, /./],
  ["status 404", { kind: "status", status: 404, body: { error: { message: "no model" } } }, /./],
  ["a page instead of an API", {
    kind: "status",
    status: 404,
    headers: { "content-type": "text/html" },
    body: "<html><body>Not here</body></html>",
  }, /./],
];

/** One of them in a test run, another one for each wire; all in the long form. */
function share<T>(all: readonly T[], at: number): readonly T[] {
  return IS_FULL ? all : all.filter((_, index) => index === (at * 7) % all.length);
}

for (const [at, under] of REACHED.entries()) {
  for (
    const [what, spoilt] of [
      ...share(PASSING, at).map(([name, fault]) => [name, { fault }] as const),
      ...(IS_FULL ? HARMLESS : []),
    ]
  ) {
    Deno.test(`${under.wire}: ${what} is survived, and nothing is done or said twice`, () =>
      faultWorld(under, async ({ dir, start, run }) => {
        await using api = start((body, index) => {
          if (index === 0) return { ...WRITE, ...spoilt };
          return JSON.stringify(body).includes("I write it down.") ? { text: DONE } : WRITE;
        });
        const ran = await run(api, [...LIMITS, "--output", "json", "-p", "write it"]);
        equal(ran.code, 0, ran.stderr);
        const told = JSON.parse(ran.stdout);
        equal([told.answer, told.calls.length, told.changed], [DONE, 1, ["a.txt"]]);
        equal(Deno.readTextFileSync(join(dir, "a.txt")), "once\n");
        await using next = start([{ text: "Yes." }]);
        const again = await run(next, ["-c", "-p", "go on"]);
        equal([again.code, again.stdout, next.bodies.length], [0, "Yes.\n", 1], again.stderr);
        const history = JSON.stringify(next.bodies[0]);
        equal(history.split("I write it down.").length - 1, 1, history);
      }));
  }
  for (const [what, fault, sentence] of share(LASTING, at)) {
    Deno.test(`${under.wire}: ${what} is told in one sentence, and the session goes on`, () =>
      faultWorld(under, async ({ start, run }) => {
        await using api = start([WRITE, { fault }]);
        const ran = await run(api, ["-p", "write it"]);
        equal([ran.code, ran.stdout], [1, ""]);
        match(ran.stderr, sentence);
        ok(!/\bat \S+:\d+:\d+/.test(ran.stderr), `a stack: ${ran.stderr}`);
        await using next = start([{ text: "Yes." }]);
        const again = await run(next, ["-c", "-p", "go on"]);
        equal([again.code, again.stdout], [0, "Yes.\n"], again.stderr);
        ok(JSON.stringify(next.bodies[0]).includes("I write it down."), "what was done is known");
      }));
  }
}
