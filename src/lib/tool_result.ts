/**
 * The one place where a tool result becomes what the model reads. Status is data; the markers `[Error]` and
 * `[System]` are made from it here, so that what a program prints cannot pass for one.
 */
import type { ToolResult } from "@/protocol/tool.ts";
import { startOf } from "./clip.ts";

const VALUE_CHARS_MAX = 60;
const LINE_CHARS_MAX = 200;

/** A marker at the very start of a text, also behind white space and characters that are not seen. */
// deno-lint-ignore no-control-regex -- Invisible characters are exactly what must not hide a marker.
const MARKER =
  /^[\s\u0000-\u001f\u00ad\u200b-\u200f\u2060-\u2064\ufeff]*\[\s*(?:error|system)\s*\]/i;

/** What the model reads of a result. `call` is the call that it answers. */
export function resultText(result: ToolResult, call: { name: string; input: unknown }): string {
  switch (result.status) {
    case "ok":
      return okText(result.text);
    case "failed":
      return `[Error] ${callLine(call)}: ${result.text}`;
    case "denied":
      return systemNote(result.text);
    case "interrupted":
      return systemNote(introduced("Interrupted", result.text));
    case "not_run":
      return systemNote(introduced("Not run", result.text));
    default:
      return result.status satisfies never;
  }
}

/** What the harness itself says to the model, told apart from what tools and programs say. */
export function systemNote(text: string): string {
  return `[System] ${text}`;
}

/** A call in one line with its arguments shortened: `run_cmd(command='python3 boom.py')`. */
function callLine(call: { name: string; input: unknown }): string {
  const { name, input } = call;
  const isNamed = input !== null && typeof input === "object" && !Array.isArray(input);
  const shown = isNamed
    ? Object.entries(input).map(([key, value]) => `${key}=${shortValue(value)}`).join(", ")
    : input === undefined
    ? ""
    : shortValue(input);
  return `${name}(${clipped(shown, LINE_CHARS_MAX)})`;
}

function okText(text: string): string {
  if (text.trim() === "") return "(no output)";
  return MARKER.test(text) ? `(output, as it was printed)\n${text}` : text;
}

function introduced(word: string, text: string): string {
  if (text === "") return word;
  return text.startsWith(word) ? text : `${word}: ${text}`;
}

function shortValue(value: unknown): string {
  if (typeof value !== "string") {
    return clipped(collapsed(JSON.stringify(value) ?? "null"), VALUE_CHARS_MAX);
  }
  const text = clipped(collapsed(value), VALUE_CHARS_MAX);
  return text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text}'`;
}

function collapsed(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function clipped(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${startOf(text, charsMax)}...`;
}
