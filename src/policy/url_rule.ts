/** Rules about addresses. An allow rule is held to the parts of the address, so that no host can hide in a path. */
import { compileGlob, matchGlob } from "./glob.ts";

/** Whether an allow pattern covers an address. What cannot be read as an address, or carries a name, is not covered. */
export function allowsUrl(pattern: string, text: string): boolean {
  const url = URL.parse(text.trim());
  if (url === null || url.username !== "" || url.password !== "") return false;
  const split = /^([^:/?#]*):\/\/([^/?#]*)(.*)$/s.exec(pattern.trim());
  if (split === null) return matchGlob(compileGlob(pattern.trim()), url.href);
  const [, scheme = "", host = "", path = ""] = split;
  // "https://docs.example*" goes on behind the host, "https://docs.example" is its root alone.
  const rest = path === "" ? (host.endsWith("*") ? "*" : "/") : path;
  return matchGlob(compileGlob(scheme.toLowerCase()), url.protocol.slice(0, -1)) &&
    matchGlob(compileGlob(host.toLowerCase()), url.host) &&
    matchGlob(compileGlob(rest), url.href.slice(originLength(url)));
}

/** Whether a deny or ask pattern reaches an address in any of its spellings. */
export function reachesUrl(pattern: string, text: string): boolean {
  const glob = compileGlob(pattern.trim());
  return spellings(text).some((spelling) => matchGlob(glob, spelling));
}

function spellings(text: string): readonly string[] {
  const found = [text.trim()];
  const url = URL.parse(text.trim());
  if (url === null) return found;
  url.username = "";
  url.password = "";
  const rest = url.href.slice(originLength(url));
  const host = url.host.replace(/\.(?=:\d+$|$)/, "");
  const plain = `${url.protocol}//${host}${rest}`;
  found.push(url.href, plain, plain.replace(/\/$/, ""));
  try {
    found.push(decodeURI(plain));
  } catch (error) {
    if (!(error instanceof URIError)) throw error; // A stray % has no other spelling.
  }
  return found;
}

function originLength(url: URL): number {
  return `${url.protocol}//${url.host}`.length;
}
