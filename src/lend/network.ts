/** What `/network` is lent. */
import type { AppParts } from "@/compose/parts.ts";
import { isLoopback } from "@/lib/loopback.ts";
import type { NetworkPart, NetworkScope } from "@/terminal/commands/lent/network.ts";
import { type CommandResult, done, misused, refused } from "@/terminal/commands/spec.ts";

type Parts = Pick<AppParts, "network" | "policy" | "sandbox" | "settings" | "run">;

const SCOPE_TEXT: Readonly<Record<NetworkScope, string>> = {
  run: "for this run",
  project: "in this project",
  always: "in every project",
};

/** Build it. */
export function networkPart(parts: Parts): NetworkPart {
  return {
    describe: () => describe(parts),
    allow: (host, scope) => say(parts, { verdict: "allow", host, scope }),
    deny: (host, scope) => say(parts, { verdict: "deny", host, scope }),
  };
}

async function describe({ policy, sandbox, settings, network, run }: Parts): Promise<string> {
  const rows = (await sandbox.ready()).describe();
  const held = rows.filter(({ what }) => /^(network|loopback|commands)$/.test(what))
    .map(({ what, holds, by }) => `${what}: ${holds}  [${by}]`);
  const hosts = [
    ...settings.current.NETWORK_ALLOW.map((host) => `  allow  ${host}  (NETWORK_ALLOW)`),
    ...network.forNow.map((host) => `  allow  ${host}  (this run)`),
    ...(await policy()).rulesInForce().filter(({ text }) => /^network\b/.test(text))
      .map(({ text, verdict, from, idle }) =>
        `  ${verdict.padEnd(5)}  ${text}  (${from})${
          idle === undefined ? "" : `  does nothing: ${idle}`
        }`
      ),
  ];
  return [
    ...(run.offline === true ? ["--offline: no connection is made but to the model"] : []),
    ...held,
    hosts.length === 0
      ? "No host is allowed to commands; /network allow HOST allows one"
      : "Hosts:",
    ...hosts,
    "This machine and its network are closed but for HOST:PORT that you allow: this machine to tools, its network to commands too",
  ].join("\n");
}

type Said = { verdict: "allow" | "deny"; host: string; scope: NetworkScope };

async function say({ policy, network }: Parts, said: Said): Promise<CommandResult> {
  const { verdict, host, scope } = said;
  const { hostRuleText, readHostRule } = await import("@/sandbox/egress/host_rule.ts");
  const { escapeGlob } = await import("@/policy/glob.ts");
  const rule = readHostRule(host);
  if (rule === undefined) {
    return misused(`"${host}" is no host; write HOST, *.DOMAIN or HOST:PORT, without http://`);
  }
  const text = hostRuleText(rule);
  const pattern = rule.isBelow ? text : escapeGlob(text);
  try {
    if (scope !== "run") {
      const everywhere = scope === "always" ? "everywhere" : "project";
      await (await policy()).add(`network(${pattern})`, verdict, everywhere);
    } else if (verdict === "allow") network.forNow.push(text);
    else await (await policy()).addForNow("/network in this run", [`network(${pattern})`], "deny");
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return refused(error.message);
  }
  network.forget();
  const may = verdict === "allow" ? "may be reached" : "is reached by nothing";
  const inCommands = verdict === "allow" && isLoopback(rule.host)
    ? ". That is for tools: in a command it is the sandbox, not this machine"
    : "";
  return done(`${text} ${may} ${SCOPE_TEXT[scope]}${inCommands}`);
}
