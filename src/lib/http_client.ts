/** HTTP clients as the environment wants them. */
import type { Proxy } from "./proxy.ts";

/** A client that goes through `proxy`, or directly without one, and trusts `certificates` (PEM) besides the usual. */
export function makeClient(
  proxy: Proxy | undefined,
  certificates: string | undefined,
): Deno.HttpClient {
  const trusted = certificates === undefined ? {} : { caCerts: [certificates] };
  return withoutProxyVariables(() => {
    if (proxy === undefined) return Deno.createHttpClient(trusted);
    const url = new URL(proxy.url);
    const { username, password } = url;
    url.username = url.password = "";
    const basicAuth = {
      username: decodeURIComponent(username),
      password: decodeURIComponent(password),
    };
    const named = username === "" ? { url: url.href } : { url: url.href, basicAuth };
    return Deno.createHttpClient({ ...trusted, proxy: named });
  });
}

/**
 * Deno reads the proxy variables itself when a client is made (2.9.6), for loopback too. Which proxy is used is
 * decided here, so they are out of the process for that moment; nothing else can run in it.
 */
function withoutProxyVariables<T>(make: () => T): T {
  // deno-lint-ignore harness/environment -- Not to read it, but to keep Deno from reading it.
  const processEnv = Deno.env;
  const kept: [string, string][] = [];
  for (const name of ["http_proxy", "https_proxy", "all_proxy", "no_proxy"]) {
    for (const spelled of [name, name.toUpperCase()]) {
      const value = processEnv.get(spelled);
      if (value === undefined) continue;
      kept.push([spelled, value]);
      processEnv.delete(spelled);
    }
  }
  try {
    return make();
  } finally {
    for (const [name, value] of kept) processEnv.set(name, value);
  }
}
