/** A host that the person named: exactly, with a port, or all below a domain. */
import { canonicalHost, type Target } from "./target.ts";

/** `isBelow`: the names below `host`, and not itself. Without `port`, the two of the web are meant. */
export type HostRule = { readonly host: string; readonly port?: number; readonly isBelow: boolean };

/** Read `HOST`, `HOST:PORT`, `*.DOMAIN`, `*.DOMAIN:PORT` or `*` (every public host); undefined for anything else. */
export function readHostRule(text: string): HostRule | undefined {
  const match = /^(\*\.|\*(?=$|:))?(\[[^\]]*\]|[^:[\]*]*)(?::(\d{1,5}))?$/.exec(text.trim());
  if (match === null) return undefined;
  const [, star, name = "", digits] = match;
  const port = digits === undefined ? {} : { port: Number(digits) };
  if (port.port !== undefined && (port.port < 1 || port.port > 65_535)) return undefined;
  if (star === "*") return name === "" ? { host: "", isBelow: true, ...port } : undefined;
  const host = canonicalHost(name);
  return host === undefined ? undefined : { host, isBelow: star !== undefined, ...port };
}

/** A rule as it is written. */
export function hostRuleText({ host, port, isBelow }: HostRule): string {
  const name = host.includes(":") ? `[${host}]` : host;
  const start = isBelow ? (host === "" ? "*" : "*.") : "";
  return `${start}${name}${port === undefined ? "" : `:${port}`}`;
}

/** Whether a rule is about a target. */
export function isAbout({ host, port, isBelow }: HostRule, target: Target): boolean {
  const ports = port === undefined ? [80, 443] : [port];
  if (!ports.includes(target.port)) return false;
  if (!isBelow) return target.host === host;
  return host === "" || target.host.endsWith(`.${host}`);
}

/** Whether it names this one host and port: only that opens the way to an address of this machine or its network. */
export function namesExactly(rule: HostRule, target: Target): boolean {
  return !rule.isBelow && rule.host === target.host && rule.port === target.port;
}
