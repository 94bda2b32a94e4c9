/** The variables by which programs find a proxy, or learn that there is none. */

const PROXY_NAMES = ["http_proxy", "https_proxy", "all_proxy", "no_proxy", "ftp_proxy"];

/** Their loopback is the sandbox's own; no proxy leads there. */
const LOCAL = "localhost,127.0.0.1,::1,.localhost";

/**
 * The environment of a command whose only way out is a proxy on this port of its loopback; without a port there is no way
 * out, and the person's own proxy, which cannot be reached from there, is not named either.
 */
export function withProxy(
  env: Readonly<Record<string, string>>,
  port: number | undefined,
): Record<string, string> {
  const others = Object.entries(env).filter(([name]) => !PROXY_NAMES.includes(name.toLowerCase()));
  if (port === undefined) return Object.fromEntries(others);
  const url = `http://127.0.0.1:${port}`;
  const both = (name: string, value: string) => ({ [name]: value, [name.toUpperCase()]: value });
  return {
    ...Object.fromEntries(others),
    ...both("http_proxy", url),
    ...both("https_proxy", url),
    ...both("all_proxy", url),
    ...both("no_proxy", LOCAL),
    npm_config_proxy: url,
    npm_config_https_proxy: url,
    npm_config_noproxy: LOCAL,
    YARN_HTTP_PROXY: url,
    YARN_HTTPS_PROXY: url,
    PIP_PROXY: url,
    // Node reads the variables above only when told to.
    NODE_USE_ENV_PROXY: "1",
  };
}
