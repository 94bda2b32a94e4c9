/** A name on a line of its own behind an arrow or a header: Functionary 2 and 3.2. Llama's other shapes are shared ones. */
import type { Envelope, Family, Form, Item, Starts } from "../grammar.ts";
import { unusable } from "../grammar.ts";
import { foundCalls, readObject } from "../payload.ts";
import type { Reader } from "../reader.ts";

const ARROW = />>>[ \t]*([A-Za-z_][\w.-]*)[ \t]*\r?\n\s*(?=\{)/y;
const ARROW_START = />{1,3}(?:[ \t]*(?:[A-Za-z_][\w.-]*[ \t]*(?:\r?(?:\n\s*)?)?)?)?$/y;
const HEADER =
  /<\|from\|>\s*assistant\s*<\|recipient\|>\s*([A-Za-z_][\w.-]*)\s*<\|content\|>\s*(?=\{)/y;
const HEADER_CHARS_MAX = 120;

const arrowForm: Form = {
  words: [">>>"],
  starts: (reader, at) => startsKnown(reader, at, { whole: ARROW, part: ARROW_START }),
  read: (reader, at, envelope) => readAfter(reader, at, { pattern: ARROW, envelope }),
};

const headerForm: Form = {
  tags: ["|from|"],
  starts(reader, at) {
    if (reader.source.tagAt(at)?.name !== "|from|") return reader.mayBecomeTag(at);
    if (matches(HEADER, reader.text, at)) return true;
    const isOpen = reader.text.length - at < HEADER_CHARS_MAX;
    return isOpen ? reader.more() : false;
  },
  read: (reader, at, envelope) => readAfter(reader, at, { pattern: HEADER, envelope }),
};

export const llama: Family = {
  name: "llama",
  wrappers: [],
  forms: [arrowForm, headerForm],
};

function startsKnown(
  reader: Reader,
  at: number,
  { whole, part }: { whole: RegExp; part: RegExp },
): Starts {
  whole.lastIndex = at;
  const name = whole.exec(reader.text)?.[1];
  if (name !== undefined) return reader.tools.resolve(name) !== undefined;
  return matches(part, reader.text, at) ? reader.more() : false;
}

function readAfter(
  reader: Reader,
  at: number,
  { pattern, envelope }: { pattern: RegExp; envelope: Envelope },
): Item {
  pattern.lastIndex = at;
  const name = pattern.exec(reader.text)?.[1];
  if (name === undefined) return unusable(at, { kind: "unreadable", at });
  const read = readObject(reader, pattern.lastIndex, envelope);
  if ("kind" in read) return unusable(read.end, { ...read, name });
  const { input, end, isRepaired } = read;
  return foundCalls(reader, [{ name, input, hasArguments: true }], { at, end, isRepaired });
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
