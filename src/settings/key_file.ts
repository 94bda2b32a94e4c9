/** keybindings.json, the other way to write KEYS: `{"viewer": "ctrl+v", "mode": ["f2", "f3"], "rail": null}`. */
import { isObject } from "@/lib/json.ts";
import { parsedJsonc } from "@/lib/jsonc.ts";
import { nearest } from "@/lib/nearest.ts";
import { BINDABLE, keyBinding, NO_KEY } from "./key_binding.ts";

/** Entries as KEYS has them, and what is wrong, with the line. */
export type KeyFile = { entries: readonly string[]; problems: readonly string[] };

/** Read it. Never throws for what it says: an entry that is wrong is left out and told, a file that is broken as a whole. */
export function readKeyFile(text: string, label: string): KeyFile {
  const json = parsedJsonc(text);
  if (!isObject(json)) {
    const problem = `"${label}" is ignored: it is not JSON of the form {"viewer": "ctrl+v"}`;
    return { entries: [], problems: [problem] };
  }
  const entries: string[] = [];
  const problems: string[] = [];
  const given = new Map<string, string>();
  for (const [action, keys] of Object.entries(json)) {
    const tell = (problem: string) =>
      problems.push(`${label}:${lineOf(action, text)}: ${problem}; it is ignored`);
    if (!BINDABLE.some((one) => one === action)) {
      tell(unknownAction(action));
      continue;
    }
    const list: readonly unknown[] = keys === null ? [] : [keys].flat();
    if (list.length === 0) entries.push(`${action}=${NO_KEY}`);
    for (const key of list) {
      const other = typeof key === "string" ? given.get(key) : undefined;
      if (typeof key !== "string" || keyBinding(`${action}=${key}`)?.key === undefined) {
        tell(`${JSON.stringify(key)} is no key that ${action} can have, such as "ctrl+v" or "f2"`);
      } else if (other !== undefined) tell(`"${key}" is given to ${other} already`);
      else {
        given.set(key, action);
        entries.push(`${action}=${key}`);
      }
    }
  }
  return { entries, problems };
}

function unknownAction(action: string): string {
  const meant = nearest(action, BINDABLE);
  const hint = meant === undefined
    ? `those that can have other keys are ${BINDABLE.join(", ")}`
    : `did you mean "${meant}"?`;
  return `"${action}" is no action that can have another key; ${hint}`;
}

/** The line, counted from 1, in which a name stands first. */
function lineOf(name: string, text: string): number {
  const at = text.indexOf(`${JSON.stringify(name)}`);
  return at < 0 ? 1 : text.slice(0, at).split("\n").length;
}
