import { equal, match, rejects } from "node:assert";
import { join } from "node:path";
import { Trust } from "@/policy/trust.ts";
import { withWorkspace } from "../support/workspace.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("isTrusted() holds for exactly the contents that were trusted", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "state", "trust.json");
    const trust = await Trust.load(path);
    equal(trust.isTrusted("/p", ".mcp.json", bytes("{}")), false);
    await trust.grant("/p", [{ name: ".mcp.json", bytes: bytes("{}") }]);
    const reloaded = await Trust.load(path);
    for (const now of [trust, reloaded]) {
      equal(now.isTrusted("/p", ".mcp.json", bytes("{}")), true);
      equal(now.isTrusted("/p", ".mcp.json", bytes("{} ")), false);
      equal(now.isTrusted("/p", ".permissions.json", bytes("{}")), false);
      equal(now.isTrusted("/q", ".mcp.json", bytes("{}")), false);
      equal(now.isTrusted("/p", "toString", bytes("{}")), false);
      equal(now.isTrusted("__proto__", "x", bytes("{}")), false);
    }
    if (Deno.build.os !== "windows") equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
  });
});

Deno.test("grant() keeps what other processes trusted in the meantime", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "trust.json");
    const [one, two] = [await Trust.load(path), await Trust.load(path)];
    await one.grant("/p", [{ name: "a", bytes: bytes("1") }]);
    await two.grant("/p", [{ name: "b", bytes: bytes("2") }]);
    const reloaded = await Trust.load(path);
    equal(reloaded.isTrusted("/p", "a", bytes("1")), true);
    equal(reloaded.isTrusted("/p", "b", bytes("2")), true);
  });
});

Deno.test("trustForRun() is written nowhere, and is about what is there now", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "trust.json");
    const trust = await Trust.load(path);
    trust.trustForRun("/p", [{ name: "a", bytes: bytes("now") }]);
    equal(trust.isTrusted("/p", "a", bytes("now")), true);
    equal(trust.isTrusted("/p", "a", bytes("later")), false);
    equal(trust.isTrusted("/p", "b", bytes("new")), false);
    await trust.grant("/p", [{ name: "c", bytes: bytes("asked") }]);
    const reloaded = await Trust.load(path);
    equal(reloaded.isTrusted("/p", "a", bytes("now")), false);
    equal(reloaded.isTrusted("/p", "c", bytes("asked")), true);
  });
});

Deno.test("a damaged trust file trusts nothing, says so and stays as it is", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "trust.json");
    for (const text of ["{", "[]", '{"/p": "x"}', '{"/p": {"a": 1}}']) {
      await Deno.writeTextFile(path, text);
      const trust = await Trust.load(path);
      match(trust.problem ?? "", /Nothing of a project counts as trusted$/);
      equal(trust.isTrusted("/p", "a", bytes("1")), false);
      await rejects(trust.grant("/p", [{ name: "a", bytes: bytes("1") }]), /damaged/);
      equal(await Deno.readTextFile(path), text);
      // The person has said so: it counts for this run although it could not be written down.
      equal(trust.isTrusted("/p", "a", bytes("1")), true);
    }
    await Deno.remove(path);
    await Deno.mkdir(path);
    match((await Trust.load(path)).problem ?? "", /^Cannot read what is trusted/);
  });
});
