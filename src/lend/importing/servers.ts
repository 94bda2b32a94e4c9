/** MCP servers of other harnesses as entries of ours. What only narrows is taken along, what gives a right is not. */
import { isObject } from "@/lib/json.ts";

/** An entry, or why it is none; `left` names what of it was not taken. */
export type Entry =
  | { kind: "entry"; entry: Record<string, unknown>; left: readonly string[] }
  | { kind: "none"; why: string };

/** What is taken as it stands. */
const SAME = [
  "command",
  "args",
  "cwd",
  "url",
  "disabled",
  "enabled",
  "enabledTools",
  "includeTools",
  "disabledTools",
  "excludeTools",
  "oauth",
];
/** Other words for the same: theirs → ours. */
const RENAMED: Readonly<Record<string, string>> = {
  httpUrl: "url",
  serverUrl: "url",
  env: "env",
  environment: "env",
  headers: "headers",
  http_headers: "headers",
  enabled_tools: "enabledTools",
  disabled_tools: "disabledTools",
};
/** Said by what it has. */
const IMPLIED = ["type", "transport", "name", "description"];

/** Translate one. */
export function serverEntry(written: unknown): Entry {
  if (!isObject(written)) return { kind: "none", why: "its entry is no object" };
  const entry: Record<string, unknown> = {};
  const left: string[] = [];
  for (const [key, value] of Object.entries(written)) {
    const ours = SAME.includes(key) ? key : Object.hasOwn(RENAMED, key) ? RENAMED[key] : undefined;
    if (ours !== undefined) entry[ours] = inOurWords(value);
    else if (key === "bearer_token_env_var" && typeof value === "string") {
      entry.headers = { ...asObject(entry.headers), Authorization: `Bearer \${${value}}` };
    } else if (key === "env_http_headers" && isObject(value)) {
      const named = Object.entries(value).map(([name, variable]) => [name, `\${${variable}}`]);
      entry.headers = { ...asObject(entry.headers), ...Object.fromEntries(named) };
    } else if (!IMPLIED.includes(key)) left.push(key);
  }
  const stated = written.type ?? written.transport;
  if (typeof stated === "string" && /sse/i.test(stated)) entry.type = "sse";
  if (entry.command === undefined && entry.url === undefined) {
    return { kind: "none", why: "it has neither a command nor an address" };
  }
  const asks = /\$\{(input|command|config):/.exec(JSON.stringify(entry));
  if (asks !== null) return { kind: "none", why: `it needs \${${asks[1]}:…} of its editor` };
  if (left.includes("envFile")) return { kind: "none", why: `it needs its "envFile"` };
  return { kind: "entry", entry, left };
}

/** Their way to name a variable. */
function inOurWords(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/(?<!\$)\{env:(\w+)\}/g, "${$1}");
  if (Array.isArray(value)) return value.map(inOurWords);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inOurWords(one)]));
}

function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
