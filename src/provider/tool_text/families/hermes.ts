/** JSON in a tag: our own format, Hermes, Qwen, Ernie, Granite, SmolLM, LongCat, MiniMax-M1, Hunyuan, Jamba, Nemotron. */
import { decode } from "../decode.ts";
import type { Envelope, Family, Form, Item, Starts } from "../grammar.ts";
import { unusable } from "../grammar.ts";
import { startsJson } from "../json.ts";
import { foundCalls, guessName, notACall, readValue } from "../payload.ts";
import { startsCallList } from "../python.ts";
import { opensBlock, readBlocks } from "../raw_blocks.ts";
import type { Reader } from "../reader.ts";

export const jsonForm: Form = { starts, read: readJsonCall };

export const hermes: Family = {
  name: "hermes",
  wrappers: [
    { open: "tool_call", close: ["/tool_call"] },
    { open: "tool_calls", close: ["/tool_calls"] },
    { open: "|tool_call|", close: ["|/tool_call|", "/|tool_call|"] },
    { open: "longcat_tool_call", close: ["/longcat_tool_call"] },
    { open: "function_call", close: ["/function_call"] },
    { open: "toolcall", close: ["/toolcall"] },
    { open: "tool_use", close: ["/tool_use"] },
    { open: "functioncall", close: ["/functioncall"] },
    { open: "tools", close: ["/tools"], isWeak: true },
    { open: "tool", close: ["/tool"], isWeak: true },
    { open: "json", close: ["/json"], isWeak: true },
    { open: "xml", close: ["/xml"], isWeak: true },
    { open: "response", close: ["/response"], isWeak: true },
  ],
  forms: [jsonForm],
};

function starts(reader: Reader, at: number): Starts {
  const char = reader.text.charAt(at);
  if (!startsJson(char)) return false;
  if (char === "{" || char === "｛") return true;
  const isCallList = startsCallList(reader.source, at);
  if (isCallList === undefined) return reader.more();
  if (isCallList || reader.token(at) !== undefined) return false;
  const inside = reader.source.skipBlanks(at + 1);
  return "{[]\"'“｛".includes(reader.text.charAt(inside));
}

function readJsonCall(reader: Reader, at: number, envelope: Envelope): Item {
  const read = readValue(reader, at, envelope);
  if (read.state !== "read") {
    const name = guessName(reader, at);
    return unusable(read.end, {
      kind: read.state,
      at: read.at,
      ...(name === undefined ? {} : { name }),
      ...(read.expected === undefined ? {} : { expected: read.expected }),
    });
  }
  const { end, isRepaired } = read;
  if (Array.isArray(read.value) && read.value.length === 0) return { end, calls: [] };
  const decoded = decode(read.value, reader.tools);
  if (decoded.kind !== "calls") return notACall(decoded, { at, end });
  const item = foundCalls(reader, decoded.calls, { at, end, isRepaired });
  return Array.isArray(read.value) ? item : withBlocks(reader, item, envelope);
}

/** The raw blocks behind a call's JSON belong to it, and say more than the JSON does. */
function withBlocks(reader: Reader, item: Item, envelope: Envelope): Item {
  const [call] = item.calls;
  if (call === undefined) return item;
  const at = firstTag(reader, afterBrackets(reader, item.end), envelope);
  if (!opensBlock(reader, at, call.tool)) return item;
  const blocks = readBlocks(reader, at, call.tool, envelope.region(at));
  if (blocks.state !== "read") {
    const expected = `</${blocks.name}> at the end of the block`;
    const kind = blocks.state === "cut" ? "cut" : "unreadable";
    const { name, input } = call;
    return unusable(blocks.end, { kind, at: blocks.end, name, input, expected });
  }
  const input = Object.fromEntries([...Object.entries(call.input), ...blocks.texts]);
  const raw = [...blocks.texts.keys()];
  return { end: blocks.end, calls: [{ ...call, input, raw }] };
}

/**
 * Where a block may open: here, or on a line of its own after a few words that stand inside the call's own marker.
 * Behind a fence, or where nothing closes the marker, words are an answer and what follows them belongs to it.
 */
function firstTag(reader: Reader, from: number, envelope: Envelope): number {
  if (reader.text.charAt(from) === "<" || envelope.kind !== "marker") return from;
  const words = /[^<]{0,200}\n[ \t]*(?=<)/y;
  words.lastIndex = from;
  return words.test(reader.text) && envelope.region(words.lastIndex).isClosed
    ? words.lastIndex
    : from;
}

function afterBrackets(reader: Reader, from: number): number {
  const { source, text } = reader;
  let at = source.skipBlanks(from);
  while ("}]".includes(text.charAt(at) || " ")) at = source.skipBlanks(at + 1);
  return reader.skipClosingFence(at);
}
