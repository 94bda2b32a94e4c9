import { deepStrictEqual as assertEquals } from "node:assert";
import { fc } from "../support/property.ts";
import { OURS, personEnv, SET_ASIDE } from "@/sandbox/person_env.ts";

Deno.test("personEnv() gives back what was set aside under its own name", () => {
  const env = {
    PATH: "/bin",
    HARNESS_PERSON_NODE_OPTIONS: "--require ./trace.js",
    HARNESS_PERSON_OTEL_DENO: "true",
  };
  assertEquals(personEnv(env), {
    PATH: "/bin",
    NODE_OPTIONS: "--require ./trace.js",
    OTEL_DENO: "true",
  });
});

Deno.test("personEnv() drops the prefixed names of variables that were not set", () => {
  assertEquals(personEnv({ HOME: "/root", HARNESS_PERSON_DENO_LOG: "" }), { HOME: "/root" });
});

Deno.test("personEnv() leaves an environment alone in which nothing was set aside", () => {
  const env = { OTEL_DENO: "true", HARNESS_HOME: "/x", EMPTY: "" };
  assertEquals(personEnv(env), env);
});

Deno.test("personEnv() prefers the person's value whichever name comes first", () => {
  const expected = { NODE_OPTIONS: "theirs" };
  assertEquals(personEnv({ NODE_OPTIONS: "x", HARNESS_PERSON_NODE_OPTIONS: "theirs" }), expected);
  assertEquals(personEnv({ HARNESS_PERSON_NODE_OPTIONS: "theirs", NODE_OPTIONS: "x" }), expected);
});

Deno.test("personEnv() drops what stands under a name for our own process only", () => {
  const env = { DENO_DIR: "/ours", HARNESS_PERSON_DENO_DIR: "" };
  assertEquals(personEnv(env), {});
  assertEquals(personEnv({ ...env, HARNESS_PERSON_DENO_DIR: "/theirs" }), { DENO_DIR: "/theirs" });
});

Deno.test("personEnv() undoes setting aside for every environment", () => {
  const value = fc.string({ minLength: 1 });
  const names = fc.constantFrom(...SET_ASIDE, "PATH", "HOME", "OTEL_SERVICE_NAME");
  fc.assert(fc.property(fc.dictionary(names, value), (env) => {
    const ours: Record<string, string> = {};
    for (const [name, value] of Object.entries(env)) {
      if (!SET_ASIDE.includes(name)) ours[name] = value;
    }
    for (const name of SET_ASIDE) ours[`HARNESS_PERSON_${name}`] = env[name] ?? "";
    Object.assign(ours, OURS);
    assertEquals(personEnv(ours), { ...env });
  }));
});
