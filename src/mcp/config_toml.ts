/** The servers of a profile, `mcp.toml`: `[[servers]]` with a name and what an entry of the JSON files may say. */
import { isObject } from "@/lib/json.ts";
import { failAt, parsedToml, unknownKey } from "@/lib/toml.ts";
import { entryPlaces } from "@/lib/toml_places.ts";
import { SERVER_KEYS } from "./config.ts";

const KEYS = ["name", ...SERVER_KEYS];

/** The same as a JSON file says it. Throws PersonError of kind "settings" with file and line. */
export function jsonOfMcpToml(text: string, label: string): string {
  const table = parsedToml(text, label);
  const places = entryPlaces(text, "servers");
  for (const key of Object.keys(table)) {
    if (key !== "servers") {
      failAt(label, places.line(key), unknownKey(key, ["servers"], "the file"));
    }
  }
  const written = table.servers ?? [];
  if (!Array.isArray(written) || !written.every(isObject)) {
    return failAt(label, places.line("servers"), `"servers" are tables, each under [[servers]]`);
  }
  const servers = new Map<string, unknown>();
  for (const [index, { name, ...entry }] of written.entries()) {
    const place = places.entry(index);
    if (typeof name !== "string" || name.trim() === "") {
      return failAt(label, place.line("name"), `a server needs a "name", a text`);
    }
    if (servers.has(name)) failAt(label, place.line("name"), `two servers are named "${name}"`);
    for (const key of Object.keys(entry)) {
      if (!KEYS.includes(key)) failAt(label, place.line(key), unknownKey(key, KEYS, "a server"));
    }
    servers.set(name, entry);
  }
  return JSON.stringify({ mcpServers: Object.fromEntries(servers) });
}
