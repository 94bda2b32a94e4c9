import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { askAboutHost, networkCall } from "@/compose/network_question.ts";
import { NetworkRules } from "@/compose/network_rules.ts";
import { Policy } from "@/policy/policy.ts";
import { Trust } from "@/policy/trust.ts";
import type { Approval, Approver } from "@/protocol/policy.ts";
import { readTarget } from "@/sandbox/egress/target.ts";
import { withWorkspace } from "../support/workspace.ts";

type Given = {
  personal?: Record<string, unknown>;
  project?: Record<string, unknown>;
  flags?: { allow?: readonly string[]; deny?: readonly string[] };
  NETWORK_ALLOW?: readonly string[];
  SEARXNG_URL?: string;
  forNow?: readonly string[];
};

/** What the rules say of hosts: "allow", "deny" or "", and "pair" for a named one. The project's file is trusted. */
async function said(given: Given, ...hosts: readonly string[]): Promise<string[]> {
  const { personal = {}, project = {}, flags = {}, NETWORK_ALLOW = [], SEARXNG_URL = "" } = given;
  let verdicts: string[] = [];
  await withWorkspace(async (dir) => {
    const file = join(dir, "permissions.json");
    const workspace = join(dir, "project");
    await Deno.mkdir(workspace);
    await Deno.writeTextFile(file, JSON.stringify(personal));
    const text = JSON.stringify(project);
    await Deno.writeTextFile(join(workspace, ".permissions.json"), text);
    const trust = await Trust.load(join(dir, "trust.json"));
    const bytes = new TextEncoder().encode(text);
    await trust.grant(workspace, [{ name: ".permissions.json", bytes }]);
    const place = () => ({ workspace, added: [] });
    const policy = await Policy.load({
      personalFile: file,
      project: workspace,
      trust,
      place,
      flags,
    });
    const settings = { NETWORK_ALLOW, SEARXNG_URL };
    const rules = new NetworkRules({ policy, settings, forNow: given.forNow ?? [] });
    verdicts = hosts.map((host) => {
      const target = readTarget(host, 443);
      ok(target !== undefined);
      return rules.isNamedPair(target) ? "pair" : rules.verdict(target)?.verdict ?? "";
    });
  });
  return verdicts;
}

Deno.test("NetworkRules obeys network(HOST) of every rule file, the setting and this run", async () => {
  const hosts = ["a.example", "b.example", "c.example", "d.example", "e.example", "x.example"];
  equal(
    await said(
      {
        personal: { allow: ["network(a.example)", { tool: "network", literal: "b.example" }] },
        project: { allow: ["network(c.example)"] },
        NETWORK_ALLOW: ["*.example:8443", "d.example"],
        forNow: ["e.example"],
      },
      ...hosts,
      "x.example:8443",
    ),
    ["allow", "allow", "allow", "allow", "allow", "", "allow"],
  );
});

Deno.test("NetworkRules lets a deny rule win, with the port said or not", async () => {
  const given = { flags: { allow: ["network(*)"], deny: ["network(bad.example)"] } };
  equal(await said(given, "good.example", "bad.example", "bad.example:80"), [
    "allow",
    "deny",
    "deny",
  ]);
  const port = { flags: { deny: ["network(bad.example:443)"] }, NETWORK_ALLOW: ["bad.example"] };
  equal(await said(port, "bad.example:443", "bad.example:80"), ["deny", "allow"]);
});

Deno.test("NetworkRules takes rules of other tools for nothing", async () => {
  equal(await said({ personal: { allow: ["run_cmd", "get_url(*)"] } }, "a.example"), [""]);
});

Deno.test("NetworkRules opens this machine only for host and port in the person's own words", async () => {
  const pair = "127.0.0.1:8080";
  equal(await said({ NETWORK_ALLOW: [pair] }, pair, "127.0.0.1:8081"), ["pair", ""]);
  equal(await said({ SEARXNG_URL: "http://127.1:8080/search" }, pair), ["pair"]);
  equal(await said({ personal: { allow: [`network(${pair})`] } }, pair), ["pair"]);
  equal(await said({ personal: { allow: [{ tool: "network", literal: pair }] } }, pair), ["pair"]);
  equal(await said({ flags: { allow: ["network([[]::1]:8080)"] } }, "[::1]:8080"), ["pair"]);
  equal(await said({ forNow: [pair] }, pair), ["pair"]);
  // A trusted project allows names; it does not open the person's machine.
  equal(await said({ project: { allow: [`network(${pair})`] } }, pair), ["allow"]);
  equal(await said({ personal: { allow: ["network(*)", "network"] } }, pair), ["allow"]);
});

const target = { host: "registry.example.com", port: 443 };

Deno.test("askAboutHost() puts the host as a question with its reaches, and answers as the person does", async () => {
  const asked: unknown[] = [];
  const answering = (approval: Approval): Approver => (call, _reason, reaches) => {
    asked.push([call.subject, reaches.map(({ rule }) => rule)]);
    return Promise.resolve(approval);
  };
  const ask = (approval: Approval) =>
    askAboutHost(target, { approver: answering(approval), timeoutMs: 10_000 });
  equal(await ask({ answer: "yes" }), "yes");
  equal(await ask({ answer: "no", reason: "x" }), "no");
  equal(await ask({ answer: "nobody" }), undefined);
  equal(asked[0], [
    { kind: "text", text: "registry.example.com" },
    [{ tool: "network", literal: "registry.example.com" }, "network(*.example.com)"],
  ]);
  equal(networkCall("a").subject, { kind: "text", text: "a" });
});

Deno.test("askAboutHost() takes the question back when nobody answers in time", async () => {
  let signal: AbortSignal | undefined;
  const approver: Approver = (_call, _reason, _reaches, given) =>
    new Promise((_, reject) => {
      signal = given;
      given.addEventListener("abort", () => reject(given.reason));
    });
  equal(await askAboutHost(target, { approver, timeoutMs: 5 }), "late");
  equal(signal?.aborted, true);
});
