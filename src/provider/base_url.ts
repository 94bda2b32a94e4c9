/** Base URLs as people write them: without a scheme, without a port, with a path too many. */

/** What a provider's addresses look like. */
export type UrlForm = {
  /** Port when neither a port nor a scheme is given; absent: the scheme's own. */
  defaultPort?: number;
  /** Path ends that belong to the API's endpoints, not to its base: taken off. */
  notPartOfBase?: readonly string[];
};

/** A base URL in one form: no slash at the end, no user in it. `userInfo` is the `user:password` it came with. */
export type BaseUrl = { url: string; userInfo?: string };

/**
 * Read an address. Without a scheme it is plain HTTP where a default port or this machine is meant, else HTTPS.
 * The addresses that a server listens on everywhere with (0.0.0.0, [::]) are read as this machine.
 * Undefined when it is no address of an HTTP server.
 */
export function readBaseUrl(text: string, form: UrlForm = {}): BaseUrl | undefined {
  const trimmed = text.trim().replace(/^["']|["']$/g, "");
  const schemed = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(trimmed);
  const rest = bracketed(schemed?.[2] ?? trimmed);
  const scheme = schemed?.[1]?.toLowerCase() ?? schemeFor(rest, form);
  if (scheme !== "http" && scheme !== "https") return undefined;
  if (schemed !== null && rest === "") return undefined;
  const host = rest.startsWith(":") || rest === "" ? `127.0.0.1${rest}` : rest;
  const url = URL.parse(`${scheme}://${host}`);
  if (url === null || url.hostname === "") return undefined;
  if (schemed === null && url.port === "" && form.defaultPort !== undefined && scheme === "http") {
    // An explicit :80 vanishes in URL(): only a host without any port gets the default.
    if (!/:80(?:\/|$)/.test(host)) url.port = String(form.defaultPort);
  }
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.hostname === "[::]") url.hostname = "[::1]";
  return tidied(url, form);
}

/** An IPv6 address without its brackets, as people write it where no port follows. */
function bracketed(rest: string): string {
  return /^[0-9a-f]*:[0-9a-f:.]*:[0-9a-f.]*$/i.test(rest) ? `[${rest}]` : rest;
}

function schemeFor(rest: string, form: UrlForm): string {
  if (/^ollama\.com(?::443)?(?:\/|$)/.test(rest)) return "https";
  if (form.defaultPort !== undefined) return "http";
  return /^(?:localhost|127\.|\[::1?\]|0\.0\.0\.0|:)/.test(rest) ? "http" : "https";
}

function tidied(url: URL, form: UrlForm): BaseUrl {
  const { username, password } = url;
  url.username =
    url.password =
    url.search =
    url.hash =
      "";
  let clean = url.href.replace(/(?<!\/)\/+$/, "");
  for (const end of form.notPartOfBase ?? []) {
    if (clean.endsWith(end)) clean = clean.slice(0, -end.length);
  }
  if (username === "") return { url: clean };
  return {
    url: clean,
    userInfo: `${decodeURIComponent(username)}:${decodeURIComponent(password)}`,
  };
}
