import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { redact, Secret } from "@/lib/secret.ts";

Deno.test("Secret shows nothing of its value however it is printed", () => {
  const secret = new Secret("hunter2-key");
  const shown = [`${secret}`, JSON.stringify({ secret }), Deno.inspect({ secret }), String(secret)];
  for (const text of shown) ok(!text.includes("hunter2"), text);
  equal(secret.reveal(), "hunter2-key");
});

Deno.test("redact() takes secrets and what looks like one out of a text", () => {
  const secret = new Secret("abc123");
  const cases: [string, string][] = [
    ["the key abc123 is wrong, abc123", "the key [secret] is wrong, [secret]"],
    ["Incorrect API key provided: sk-ab***yz.", "Incorrect API key provided: [secret]"],
    ["key sk-ant-api03-AbC_d-123 failed", "key [secret] failed"],
    ["for url (https://h/v1?key=AbCd&x=1)", "for url (https://h/v1?key=[secret]&x=1)"],
    ["for url (http://me:pass@proxy:80/)", "for url (http://proxy:80/)"],
    ["Authorization: Bearer eyJhbGciOi.x-y", "Authorization: Bearer [secret]"],
    ["gsk_1234567890 AIzaSyA1234567", "[secret] [secret]"],
    ["nothing to hide: skip the risk", "nothing to hide: skip the risk"],
  ];
  for (const [text, expected] of cases) equal(redact(text, [secret, undefined]), expected);
});

Deno.test("redact() ignores an empty secret", () => {
  equal(redact("abc", [new Secret("")]), "abc");
});
