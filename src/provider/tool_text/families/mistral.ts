/** The name in front of a JSON object: Mistral, Devstral, Magistral, Hunyuan 3, and everybody who writes `read_file{…}`. */
import type { Envelope, Family, Form, Item, Starts } from "../grammar.ts";
import { unusable } from "../grammar.ts";
import { foundCalls, readObject } from "../payload.ts";
import type { Reader } from "../reader.ts";

const NAME = /[A-Za-z_][\w.-]*(?::\d+)?/y;
const CALL_ID = /\s*\[CALL_ID\]\s*[A-Za-z0-9]*/y;
const ARGS = /\s*(?:\[ARGS\]|<tool_sep:\w+>)/y;
const OBJECT_START = /\s*(?:`{3,}\w*\s*)?[{｛]/y;
/** Not by its name, not by a marker: it takes a known tool to tell a call from a word before a brace. */
const BARE_OBJECT = /[ \t]*(?:\r?\n[ \t]*)*[{｛]/y;

const namedForm: Form = { starts, read: readNamed };

export const mistral: Family = {
  name: "mistral",
  wrappers: [
    { open: "[tool_calls]", close: ["[/tool_calls]"] },
    { open: "tool_call:opensource", close: ["end_of_tool_call:opensource"] },
    { open: "tool_calls:opensource", close: ["end_of_tool_calls:opensource"] },
  ],
  forms: [namedForm],
};

function starts(reader: Reader, at: number): Starts {
  const head = headAt(reader, at);
  if (head === undefined) return false;
  const { text, source } = reader;
  if (head.hasMarker) {
    return source.skipBlanks(head.end) >= text.length
      ? reader.more()
      : matches(OBJECT_START, text, head.end);
  }
  if (source.skipBlanks(head.end) >= text.length) return reader.more();
  if (!matches(BARE_OBJECT, text, head.end)) {
    const next = source.skipBlanks(head.end);
    return text.charAt(next) === "[" ? reader.mayBecomeTag(next) : false;
  }
  return reader.tools.resolve(head.name) !== undefined || "{｛".includes(text.charAt(head.end));
}

function readNamed(reader: Reader, at: number, envelope: Envelope): Item {
  const head = headAt(reader, at);
  if (head === undefined) return unusable(at, { kind: "unreadable", at });
  const { name } = head;
  const read = readObject(reader, head.end, envelope);
  if ("kind" in read) return unusable(read.end, { ...read, name });
  const { input, end, isRepaired } = read;
  return foundCalls(reader, [{ name, input, hasArguments: true }], { at, end, isRepaired });
}

/** The name, and the control tokens that may stand between it and the object. The id is no part of either. */
function headAt(
  reader: Reader,
  at: number,
): { name: string; end: number; hasMarker: boolean } | undefined {
  NAME.lastIndex = at;
  const name = NAME.exec(reader.text)?.[0];
  if (name === undefined) return undefined;
  let end = at + name.length;
  let hasMarker = false;
  for (const marker of [CALL_ID, ARGS]) {
    if (!matches(marker, reader.text, end)) continue;
    end = marker.lastIndex;
    hasMarker = true;
  }
  return { name, end, hasMarker };
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
