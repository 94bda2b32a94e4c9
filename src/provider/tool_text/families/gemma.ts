/** `call:name{key:value}` with tokens for quotes: FunctionGemma and Gemma 4. */
import type { Envelope, Family, Form, Item, Starts } from "../grammar.ts";
import { unusable } from "../grammar.ts";
import { foundCalls } from "../payload.ts";
import { readJson } from "../json.ts";
import type { Reader } from "../reader.ts";
import { Source } from "../source.ts";
import { stringEnd } from "../strings.ts";

const HEAD = /call\s*:\s*([A-Za-z_][\w.-]*)\s*(?=\{)/y;
const HEAD_START = /(?:c|ca|cal|call|call\s*:\s*[\w.-]*\s*)$/y;

const callForm: Form = {
  words: ["call:"],
  starts,
  startsBare: (reader, at) => {
    const answer = starts(reader, at);
    return answer === true ? reader.tools.resolve(nameAt(reader, at)) !== undefined : answer;
  },
  read: readBraces,
};

export const gemma: Family = {
  name: "gemma",
  wrappers: [
    { open: "start_function_call", close: ["end_function_call"] },
    { open: "|tool_call", close: ["tool_call|"] },
  ],
  forms: [callForm],
};

function starts(reader: Reader, at: number): Starts {
  HEAD.lastIndex = at;
  if (HEAD.test(reader.text)) return true;
  HEAD_START.lastIndex = at;
  return HEAD_START.test(reader.text) ? reader.more() : false;
}

function nameAt(reader: Reader, at: number): string {
  HEAD.lastIndex = at;
  return HEAD.exec(reader.text)?.[1] ?? "";
}

function readBraces(reader: Reader, at: number, envelope: Envelope): Item {
  const name = nameAt(reader, at);
  const start = HEAD.lastIndex;
  const copy = copyAsJson(reader, start, envelope);
  if (copy.state !== "read") {
    const { end } = envelope.region(start);
    return unusable(Math.max(end, start), { kind: copy.state, at: copy.at, name });
  }
  const { end, json, isClosedOutside } = copy;
  const read = readJson(new Source(json), 0, { closes: (place) => place >= json.length - 1 });
  if (read.state !== "read" || !isRecord(read.value)) {
    return unusable(end, { kind: "unreadable", at: start, name, expected: "quoted values" });
  }
  // Unquoted keys and the tokens for quotes are how this format is written; they are no damage.
  return foundCalls(reader, [{ name, input: read.value, hasArguments: true }], {
    at,
    end,
    isRepaired: isClosedOutside,
  });
}

type Copy =
  | { state: "read"; json: string; end: number; isClosedOutside: boolean }
  | { state: "cut" | "unreadable"; at: number };

/** The braces with JSON strings in place of those between tokens, up to the brace that closes the first one. */
function copyAsJson(reader: Reader, start: number, envelope: Envelope): Copy {
  const { text, source } = reader;
  const out: string[] = [];
  let depth = 0;
  let copied = start;
  const mark = /<\|"\|>|<escape>|["'{}[\]<]/g;
  mark.lastIndex = start;
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    const at = match.index;
    const [token] = match;
    if (token.length > 1) {
      const close = source.find(token, mark.lastIndex);
      if (close === -1) return { state: "cut", at: text.length };
      out.push(text.slice(copied, at), JSON.stringify(text.slice(mark.lastIndex, close)));
      copied = mark.lastIndex = close + token.length;
    } else if (token === '"' || token === "'") {
      const close = source.find(token, mark.lastIndex) === -1
        ? -1
        : stringEnd(text, mark.lastIndex, token);
      if (close === -1) return { state: "cut", at: text.length };
      mark.lastIndex = close + 1;
    } else if (token === "<") {
      if (!envelope.closes(at)) return { state: "unreadable", at };
      const json = `${out.join("")}${text.slice(copied, at)}<`;
      return { state: "read", json, end: at, isClosedOutside: true };
    } else {
      depth += token === "{" || token === "[" ? 1 : -1;
      if (depth > 0) continue;
      const json = `${out.join("")}${text.slice(copied, at + 1)}<`;
      source.steps += at - start;
      return { state: "read", json, end: at + 1, isClosedOutside: false };
    }
  }
  source.steps += text.length - start;
  return { state: "cut", at: text.length };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
