/** Where a connection is to go, in the one spelling that rules and checks are about. */
import { isAddress } from "./address.ts";

/** `host` is a name in lower case and punycode without a final dot, or an address as URL() writes it, without brackets. */
export type Target = { readonly host: string; readonly port: number };

/** Ports that need not be said. */
const USUAL_PORTS = [80, 443];
const PORT_MAX = 65_535;
const HOST_CHARS_MAX = 253;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * A host in its canonical spelling; undefined for what is none. URL() resolves case, IDN, percent signs are refused, and
 * an IPv4 address in octal, hex or with parts missing becomes four decimals.
 */
export function canonicalHost(text: string): string | undefined {
  const isBracketed = text.startsWith("[") && text.endsWith("]");
  const inner = isBracketed ? text.slice(1, -1) : text;
  if (inner === "" || /[\s/?#@\\%[\]]/.test(inner)) return undefined;
  const url = URL.parse(`http://${isBracketed || inner.includes(":") ? `[${inner}]` : inner}/`);
  if (url === null) return undefined;
  if (url.hostname.startsWith("[")) return url.hostname.slice(1, -1);
  const host = url.hostname.replace(/\.$/, "");
  if (isAddress(host)) return host;
  if (host.length > HOST_CHARS_MAX) return undefined;
  return host.split(".").every((label) => LABEL.test(label)) ? host : undefined;
}

/** A host and a port, checked. */
export function targetOf(host: string, port: number): Target | undefined {
  const canonical = canonicalHost(host);
  if (canonical === undefined || !Number.isInteger(port) || port < 1 || port > PORT_MAX) {
    return undefined;
  }
  return { host: canonical, port };
}

/** `host:port`, `[address]:port`; without a port the one given, if any. Undefined for anything else. */
export function readTarget(text: string, portByDefault?: number): Target | undefined {
  const match = /^(\[[^\]]*\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(text.trim());
  const port = match?.[2] === undefined ? portByDefault : Number(match[2]);
  return match?.[1] === undefined || port === undefined ? undefined : targetOf(match[1], port);
}

/** The target of an address of the web; undefined where it is none of http or https. */
export function targetOfUrl(url: URL): Target | undefined {
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  return targetOf(url.hostname, port);
}

/** As rules and sentences write it: the port only where it is not one of the web's. */
export function targetText({ host, port }: Target): string {
  return USUAL_PORTS.includes(port) ? bracketed(host) : addressText({ host, port });
}

/** With its port, whatever it is. */
export function addressText({ host, port }: Target): string {
  return `${bracketed(host)}:${port}`;
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
