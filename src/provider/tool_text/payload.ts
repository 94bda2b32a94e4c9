/** What the forms share: from a decoded value to found calls, and reading one JSON object as arguments. */
import { decodeArguments, type Decoded, type Written } from "./decode.ts";
import { readByPosition, readEncoded } from "./damaged_json.ts";
import { type Envelope, type FoundCall, type Item, type Problem, unusable } from "./grammar.ts";
import { readJson, startsJson } from "./json.ts";
import type { Reader } from "./reader.ts";

const NAME_IN_JSON =
  /["“'](?:name|tool_name|toolName|function_name|tool|function)["”']\s*[:：]\s*["“']([^"”'\n]{1,100})/;
const NAME_CHARS_MAX = 2_000;

/** A JSON value that was read or could not be read. */
export type ValueRead =
  | { state: "read"; value: unknown; end: number; isRepaired: boolean }
  | { state: "cut" | "unreadable"; end: number; at: number; expected?: string };

/** Read the JSON value at `at` with every repair that its end allows. */
export function readValue(reader: Reader, at: number, envelope: Envelope): ValueRead {
  const { source } = reader;
  const to = reader.isTired ? envelope.region(at).end : source.text.length;
  const read = readJson(source, at, { to, closes: (place) => envelope.closes(place) });
  if (read.state === "read") return read;
  const region = envelope.region(at);
  const payload = source.text.slice(at, source.skipBlanksBack(region.end, at));
  source.steps += payload.length;
  const encoded = readEncoded(payload);
  if (encoded?.state === "read") return { ...encoded, end: region.end };
  if (region.isClosed) {
    const tool = reader.tools.resolve(guessName(reader, at) ?? "");
    const isParameter = (name: string) =>
      tool === undefined
        ? reader.tools.names.some((other) => reader.tools.hasParameter(other, name))
        : reader.tools.hasParameter(tool, name);
    const found = readByPosition(payload, isParameter);
    if (found !== undefined) return { state: "read", ...found, end: region.end, isRepaired: true };
  }
  // Brackets at the end say that the model was done; an open text in a closed payload is damage, not an end.
  const isEnded = read.state === "bad" && /[}\]]$/.test(payload);
  const state = region.isClosed || isEnded ? "unreadable" : "cut";
  const expected = read.state === "cut" ? "the end of a text or of an object" : undefined;
  return {
    state,
    end: region.end,
    at: Math.min(read.end, region.end),
    ...(expected === undefined ? {} : { expected }),
  };
}

/** Read a call's arguments: an object, or a text of one, after blanks and the opening line of a fence. */
export function readObject(
  reader: Reader,
  from: number,
  envelope: Envelope,
):
  | { input: Record<string, unknown>; end: number; isRepaired: boolean }
  | Problem & { end: number } {
  const at = reader.skipFence(reader.source.skipBlanks(from));
  if (!startsJson(reader.text.charAt(at))) {
    const region = envelope.region(at);
    const kind = at >= region.end && !region.isClosed ? "cut" : "unreadable";
    return { kind, at, end: region.end, expected: "a JSON object" };
  }
  const read = readValue(reader, at, envelope);
  if (read.state !== "read") {
    const { state: kind, at: place, end, expected } = read;
    return { kind, at: place, end, ...(expected === undefined ? {} : { expected }) };
  }
  const input = decodeArguments(read.value);
  if (input === undefined) {
    return { kind: "unreadable", at, end: read.end, expected: "a JSON object" };
  }
  return { input, end: read.end, isRepaired: read.isRepaired };
}

/** Calls of one unit: all of them, or none when one of them names no tool. */
export function foundCalls(
  reader: Reader,
  written: readonly Written[],
  { at, end, isRepaired, raw = [] }: {
    at: number;
    end: number;
    isRepaired: boolean;
    raw?: readonly string[];
  },
): Item {
  const calls: FoundCall[] = [];
  for (const { name, input, hasArguments } of written) {
    const tool = reader.tools.resolve(name);
    if (tool === undefined) return unusable(end, { kind: "unknown_tool", at, name, input });
    calls.push({ name, tool, input, raw, isRepaired, hasArguments });
  }
  return { end, calls };
}

/** The problem of a decoded value that is no call. */
export function notACall(
  decoded: Exclude<Decoded, { kind: "calls" }>,
  { at, end }: { at: number; end: number },
): Item {
  if (decoded.kind === "data") return unusable(end, { kind: "data", at });
  const name = decoded.name === undefined ? {} : { name: decoded.name };
  return unusable(end, { kind: "unreadable", at, expected: decoded.expected, ...name });
}

/** The tool's name in a payload that could not be read, for the report only. */
export function guessName(reader: Reader, at: number): string | undefined {
  return NAME_IN_JSON.exec(reader.text.slice(at, at + NAME_CHARS_MAX))?.[1];
}
