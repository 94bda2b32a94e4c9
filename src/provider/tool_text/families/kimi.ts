/** One pair of tokens a call: Kimi K2, DeepSeek V3 to V3.1, Cogito, Step 3. */
import type { Envelope, Family, Form, Item, Starts } from "../grammar.ts";
import { unusable } from "../grammar.ts";
import { foundCalls, readObject } from "../payload.ts";
import { elementRegion } from "../region.ts";
import type { Reader, Token } from "../reader.ts";

const OPEN = "|tool_call_begin|";
const CLOSE = ["|tool_call_end|", "|tool_calls_section_end|", "|tool_calls_end|"];
const ARGUMENTS = ["|tool_call_argument_begin|", "|tool_sep|"];
/** DeepSeek V3 puts the kind of the call in front of the separator. */
const KINDS = ["function", "tool"];
const NAME_LINE = /\s*([A-Za-z_][\w.:-]*)/y;
const HEAD_CHARS_MAX = 200;

type Head = { name: string; end: number };

const tokenForm: Form = {
  tags: [OPEN],
  starts(reader: Reader, at: number): Starts {
    const tag = reader.source.tagAt(at);
    return tag === undefined ? reader.mayBecomeTag(at) : tag.name === OPEN;
  },
  read: readTokenCall,
};

export const kimi: Family = {
  name: "kimi",
  wrappers: [
    { open: "|tool_calls_section_begin|", close: ["|tool_calls_section_end|"] },
    {
      open: "|tool_call_section_begin|",
      close: ["|tool_call_section_end|", "|tool_calls_section_end|"],
    },
    { open: "|tool_calls_begin|", close: ["|tool_calls_end|", "|tool_call_end|"] },
  ],
  forms: [tokenForm],
};

function readTokenCall(reader: Reader, at: number, outer: Envelope): Item {
  const open = reader.token(at);
  if (open === undefined) return unusable(at, { kind: "unreadable", at });
  const envelope = callEnvelope(reader, outer);
  const head = headOf(reader, open.end);
  if (head === undefined) {
    const { end, isClosed } = envelope.region(open.end);
    return unusable(end, {
      kind: isClosed ? "unreadable" : "cut",
      at: open.end,
      expected: "a name",
    });
  }
  if (typeof head === "number") {
    return reader.form(head)?.read(reader, head, envelope) ??
      unusable(head, { kind: "unreadable", at: head });
  }
  const { name } = head;
  const next = reader.token(reader.source.skipBlanks(head.end));
  if (next !== undefined && CLOSE.includes(next.name)) {
    return foundCalls(reader, [{ name, input: {}, hasArguments: true }], {
      at,
      end: next.end,
      isRepaired: false,
    });
  }
  const read = readObject(reader, head.end, envelope);
  const end = afterClose(reader, read.end);
  if ("kind" in read) return unusable(end, { ...read, name });
  const { input, isRepaired } = read;
  return foundCalls(reader, [{ name, input, hasArguments: true }], { at, end, isRepaired });
}

/** The name and where the arguments begin; a number is the place of another form (Step 3 puts an element there). */
function headOf(reader: Reader, from: number): Head | number | undefined {
  const separator = firstToken(reader, from);
  if (separator === undefined || separator.start - from > HEAD_CHARS_MAX) return undefined;
  const before = reader.text.slice(from, separator.start).trim();
  if (!KINDS.includes(before)) {
    return before === "" ? undefined : { name: before, end: separator.end };
  }
  const at = reader.source.skipBlanks(separator.end);
  if (reader.token(at) !== undefined) return at;
  NAME_LINE.lastIndex = at;
  const name = NAME_LINE.exec(reader.text)?.[1];
  return name === undefined ? undefined : { name, end: NAME_LINE.lastIndex };
}

function firstToken(reader: Reader, from: number): Token | undefined {
  for (const token of reader.tokensFrom(from)) {
    return ARGUMENTS.includes(token.name) ? token : undefined;
  }
  return undefined;
}

function callEnvelope(reader: Reader, outer: Envelope): Envelope {
  return {
    ...outer,
    region: (at) =>
      elementRegion(reader, at, {
        opens: ({ name }) => name === OPEN,
        closes: ({ name }) => CLOSE.includes(name),
        mayClose: () => true,
        mayOpen: () => false,
      }),
  };
}

function afterClose(reader: Reader, from: number): number {
  const at = reader.skipClosingFence(reader.source.skipBlanks(from));
  const token = reader.token(at);
  return token?.name === "|tool_call_end|" ? token.end : from;
}
