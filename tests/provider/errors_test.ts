import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { connectionOf } from "@/provider/connection.ts";
import { readErrorText } from "@/provider/error_body.ts";
import { ERROR_ROWS, failedAttempt, rowOf } from "@/provider/errors.ts";
import { OLLAMA_ROWS } from "@/provider/ollama_errors.ts";
import { type Case, CONNECTION_CASES, fromEnv, reply, said, target } from "./error_cases.ts";
import { factsOf } from "../support/wire_options.ts";
import { REPLY_CASES } from "./reply_error_cases.ts";

const CASES = [...CONNECTION_CASES, ...REPLY_CASES];

for (const [at, one] of CASES.entries()) {
  Deno.test(`failedAttempt() words "${one.row}" (case ${at + 1})`, () => {
    const { error, advice } = failedAttempt(target(one), one.failure, 0);
    equal(rowOf(target(one), one.failure), one.row);
    equal(error.kind, one.kind);
    equal(advice.again, one.again);
    const text = `${error.message}\n${error.hint}`;
    for (const name of one.names) match(text, name);
    ok(!text.includes("sesame"), "a key is never shown");
    match(error.message, /^\S.*[^.]$/s, "no full stop at the end");
    ok(error.hint === "" || /^["A-Z/]/.test(error.hint), error.hint);
  });
}

Deno.test("failedAttempt() names a server of one's own as a sentence wants it", () => {
  for (const one of CASES.filter(({ ollama }) => ollama !== true)) {
    const sources = { ...one.sources, baseUrl: "http://127.0.0.1:9/v1" };
    const { error } = failedAttempt(target({ ...one, sources }), one.failure, 0);
    const text = `${error.message}. ${error.hint}`;
    equal(/[^.] The server|(?:^|\. )the server/.exec(text), null, text);
  }
});

Deno.test("failedAttempt() says below which path servers of one's own usually answer", () => {
  const hintAt = (baseUrl: string) => {
    const connection = connectionOf(factsOf("openai"), { env: {}, baseUrl, savedIn: "/p.json" });
    const at = { connection, model: "some-model" };
    return failedAttempt(at, reply(404, "404 page not found"), 0).error.hint;
  };
  match(hintAt("http://box:8000"), /usually answer at http:\/\/box:8000\/v1$/);
  match(hintAt("http://box:8000/v2"), /the usual address is https:\/\/api\.openai\.com\/v1$/);
});

Deno.test("failedAttempt() has a case here for each of its rows", () => {
  const tested = new Set(CASES.map(({ row }) => row));
  const own = [...OLLAMA_ROWS.connection, ...OLLAMA_ROWS.reply].map(({ name }) => name);
  const rows = [...own, ...ERROR_ROWS];
  equal(rows.filter((row) => !tested.has(row)), []);
  equal(new Set(rows).size, rows.length);
});

Deno.test("failedAttempt() keeps status, request id and the server's whole words", () => {
  const long = "boom ".repeat(390);
  const failure = reply(400, said("invalid_request_error", long), { "request-id": "req_1" });
  const { error } = failedAttempt(target(CASES[0] as Case), failure, 0);
  equal([error.status, error.requestId, error.detail], [400, "req_1", long]);
});

Deno.test("failedAttempt() takes keys out of what a server echoes", () => {
  const one: Case = { ...(CASES[0] as Case), sources: fromEnv };
  const failure = reply(401, said("authentication_error", "bad key sesame, sk-ab***yz"));
  const { error } = failedAttempt(target(one), failure, 0);
  match(error.message, /"bad key \[secret\], \[secret\]"/);
  equal(error.detail, "bad key [secret], [secret]");
});

Deno.test("failedAttempt() lets x-should-retry decide in both directions", () => {
  const one = CASES[0] as Case;
  const never = reply(500, "", { "x-should-retry": "false" });
  equal(failedAttempt(target(one), never, 0).advice.again, "no");
  const yes = reply(400, "", { "x-should-retry": "true", "retry-after": "3" });
  equal(failedAttempt(target(one), yes, 0).advice, { again: "yes", soon: false, afterMs: 3_000 });
});

Deno.test("readErrorText() reads each shape that servers use", () => {
  const cases: [string, { message: string; type?: string; code?: string }][] = [
    [
      '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"r"}',
      { message: "Overloaded", type: "overloaded_error" },
    ],
    ['[{"error":{"code":429,"message":"Slow","status":"RESOURCE_EXHAUSTED"}}]', {
      message: "Slow",
      type: "RESOURCE_EXHAUSTED",
      code: "429",
    }],
    ['{"error":"model not found"}', { message: "model not found" }],
    ['{"code":"bad","error":"flat"}', { message: "flat", code: "bad" }],
    ['{"object":"error","message":"No","type":"x","code":"3230"}', {
      message: "No",
      type: "x",
      code: "3230",
    }],
    ['{"detail":"Not Found"}', { message: "Not Found" }],
    ['{"detail":[{"loc":["body","n"],"msg":"too small"},{"msg":"b"}]}', {
      message: "body.n: too small; b",
    }],
    ['{"error":{"message":"Provider returned error","metadata":{"raw":"prompt is too long"}}}', {
      message: "Provider returned error: prompt is too long",
    }],
    ["plain words", { message: "plain words" }],
    ["<html><style>x</style><h1>502</h1> Bad   Gateway</html>", { message: "502 Bad Gateway" }],
    ["", { message: "" }],
    ["null", { message: "" }],
  ];
  for (const [text, expected] of cases) {
    const { message, type, code } = readErrorText(text);
    const read = {
      message,
      ...(type === undefined ? {} : { type }),
      ...(code === undefined ? {} : { code }),
    };
    equal(read, expected, text);
  }
  equal(readErrorText("x".repeat(5_000)).message.length, 2_000);
});
