/** Reads the arguments of a native tool call strictly: what is not a JSON object is never guessed at. */
import { isObject } from "./json.ts";

/** `input` is what could be read; with `damage` the call must not run and `input` is the raw text. */
export type ReadArguments = { input: unknown; damage?: string };

const SHOWN_CHARS_MAX = 200;

/**
 * Read arguments as a wire delivered them: an object, a JSON text of one, or nothing at all, which is an object
 * without members. A JSON text inside a JSON text is unwrapped once: some servers encode twice.
 */
export function readArguments(raw: unknown): ReadArguments {
  if (raw === undefined || raw === null) return { input: {} };
  if (typeof raw !== "string") return isObject(raw) ? { input: raw } : notAnObject(raw, raw);
  if (raw.trim() === "") return { input: {} };
  const outer = parse(raw);
  if (!outer.ok) return damaged(raw, outer.problem);
  if (outer.value === null || outer.value === "") return { input: {} };
  if (isObject(outer.value)) return { input: outer.value };
  if (typeof outer.value === "string") {
    const inner = parse(outer.value);
    if (inner.ok && isObject(inner.value)) return { input: inner.value };
  }
  return notAnObject(outer.value, raw);
}

function parse(text: string): { ok: true; value: unknown } | { ok: false; problem: string } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, problem: error.message };
  }
}

function notAnObject(value: unknown, raw: unknown): ReadArguments {
  const kind = Array.isArray(value) ? "a list" : `a ${typeof value}`;
  const damage = `its arguments are ${kind}, not a JSON object: ${shown(raw)}`;
  return { input: raw, damage };
}

function damaged(raw: string, problem: string): ReadArguments {
  return { input: raw, damage: `its arguments are not valid JSON (${problem}): ${shown(raw)}` };
}

function shown(raw: unknown): string {
  const text = typeof raw === "string" ? raw : JSON.stringify(raw);
  if (text.length <= SHOWN_CHARS_MAX) return text;
  return `${text.slice(0, SHOWN_CHARS_MAX)}… (${text.length} characters)`;
}
