import { deepStrictEqual as equal } from "node:assert/strict";
import { readSecretRule } from "@/lib/secret_rule.ts";

Deno.test("readSecretRule() reads a name and a host, and nothing else", () => {
  equal(readSecretRule("TOKEN@api.example:8443"), { name: "TOKEN", host: "api.example:8443" });
  for (const none of ["TOKEN", "TOKEN@", "@api.example", "2X@api.example", "A B@c", "T@a b"]) {
    equal([none, readSecretRule(none)], [none, undefined]);
  }
});
