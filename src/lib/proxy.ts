/** Which proxy a request goes through, read from the variables that people set for every program. */
import { isLoopback } from "./loopback.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** A proxy, and the variable that named it. `url` may hold a user and a password: never show it. */
export type Proxy = { url: string; from: string };

/**
 * The proxy for a URL, or undefined for a direct connection. The small spelling of a variable wins, as in curl.
 * This machine is never asked through a proxy: a proxy elsewhere would find its own loopback.
 */
export function proxyFor(url: URL, env: Env): Proxy | undefined {
  if (isLoopback(url.hostname)) return undefined;
  const none = env.no_proxy ?? env.NO_PROXY ?? "";
  if (isExcepted(url, none)) return undefined;
  const kind = url.protocol === "https:" ? "https_proxy" : "http_proxy";
  for (const name of [kind, kind.toUpperCase(), "all_proxy", "ALL_PROXY"]) {
    const value = env[name]?.trim() ?? "";
    if (value !== "") return { url: value.includes("://") ? value : `http://${value}`, from: name };
  }
  return undefined;
}

/** Entries of NO_PROXY: `*`, a host, a domain (with or without a dot: its subdomains too), either with a port. */
function isExcepted(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return list.split(/[,\s]+/).some((raw) => {
    if (raw === "") return false;
    if (raw === "*") return true;
    const { name, port: only } = entry(raw.toLowerCase());
    if (only !== undefined && only !== port) return false;
    const domain = name.replace(/^\*?\./, "");
    return host === domain || host.endsWith(`.${domain}`);
  });
}

function entry(raw: string): { name: string; port?: string } {
  const bracketed = /^\[([^\]]+)\](?::(\d+))?$/.exec(raw);
  const plain = bracketed ?? /^([^:]+)(?::(\d+))?$/.exec(raw);
  if (plain === null) return { name: raw };
  const [, name = raw, port] = plain;
  return port === undefined ? { name } : { name, port };
}
