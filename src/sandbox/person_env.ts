/**
 * The variables that act on Deno before our first line runs, and the way back to the person's own values.
 *
 * Deno obeys these outside our permissions (telemetry of every fetch, a script loaded into our process, files written,
 * start refused), so every task and launcher sets them aside under a prefix and unsets them. Commands that run for the
 * person get them back: their `npm test` may need NODE_OPTIONS.
 */

/**
 * Set aside by every task and launcher, in this order. Of the `OTEL_*` family only these four switch telemetry on
 * (Deno 2.9.6, measured); the others do nothing by themselves and are left as the person had them.
 */
export const SET_ASIDE: readonly string[] = [
  "OTEL_DENO",
  "OTEL_DENO_TRACING",
  "OTEL_DENO_METRICS",
  "OTEL_DENO_CONSOLE",
  "NODE_OPTIONS",
  "DENO_V8_FLAGS",
  "DENO_COVERAGE_DIR",
  "DENO_LOG",
  "DENO_AUTH_TOKENS",
  "DENO_AUDIT_PERMISSIONS",
  "DENO_PERMISSION_BROKER_PATH",
  // Opens a control socket and waits for somebody to connect (Deno 2.9.6, measured).
  "DENO_UNSTABLE_CONTROL_SOCK",
  // Set for our own process: `deno run` asks a server for the newest version, with no network permission and under -q.
  "DENO_NO_UPDATE_CHECK",
];

/** What every task and launcher sets for our own process, after setting the person's value aside. */
export const OURS: Readonly<Record<string, string>> = { DENO_NO_UPDATE_CHECK: "1" };

/** What a variable is set aside under: this, then its own name. */
export const SET_ASIDE_PREFIX = "HARNESS_PERSON_";

/**
 * The environment as the person had it: what was set aside stands under its own name again, and what stands there for
 * our own process is gone with the prefixed names. Input and output are whole environments; the input is not changed. A
 * value that was set aside empty counts as not set, because a task cannot tell the two apart.
 */
export function personEnv(env: Readonly<Record<string, string>>): Record<string, string> {
  const restored: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (name.startsWith(SET_ASIDE_PREFIX)) {
      if (value !== "") restored[name.slice(SET_ASIDE_PREFIX.length)] = value;
    } else if (!Object.hasOwn(env, `${SET_ASIDE_PREFIX}${name}`)) {
      restored[name] = value;
    }
  }
  return restored;
}
