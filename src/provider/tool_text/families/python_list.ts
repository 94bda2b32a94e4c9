/** Calls as Python: Llama 3.2 and 4, ToolACE, Gemma 3, OLMo 3, LFM2, SmolLM3. */
import type { Envelope, Family, Form, Item, Starts } from "../grammar.ts";
import { unusable } from "../grammar.ts";
import type { Written } from "../decode.ts";
import { foundCalls } from "../payload.ts";
import { type PythonCall, readPython, startsCallList } from "../python.ts";
import type { Reader } from "../reader.ts";

const CALL_START = /([A-Za-z_][\w.-]*)[ \t]*\(\s*(?:(\w+\s*=(?!=)|["')])|\w*\s*$|.)/ys;
const NAME_START = /[A-Za-z_][\w.-]*$/y;
/** Another namespace than those that stand before every tool means another function. */
const WRAPPERS = ["print"];

export const pythonForm: Form = { starts, read: readPythonCalls };

export const pythonList: Family = {
  name: "python list",
  wrappers: [
    { open: "function_calls", close: ["/function_calls"] },
    { open: "|tool_call_start|", close: ["|tool_call_end|"] },
    { open: "|python_start|", close: ["|python_end|"] },
    { open: "|python_tag|", close: ["|/python_tag|"] },
  ],
  forms: [pythonForm],
};

function starts(reader: Reader, from: number): Starts {
  const at = afterComments(reader, from);
  if (at > from && at >= reader.text.length) return reader.more();
  const isList = startsCallList(reader.source, at);
  if (isList !== false) return isList ?? reader.more();
  NAME_START.lastIndex = at;
  if (NAME_START.test(reader.text)) return reader.more();
  CALL_START.lastIndex = at;
  const match = CALL_START.exec(reader.text);
  if (match === null) return false;
  const [whole, name = "", argument] = match;
  if (WRAPPERS.includes(name) || reader.tools.resolve(name.replace(/\.call$/, "")) !== undefined) {
    return true;
  }
  if (argument !== undefined) return true;
  return at + whole.length >= reader.text.length ? reader.more() : false;
}

function readPythonCalls(reader: Reader, from: number, envelope: Envelope): Item {
  const at = afterComments(reader, from);
  const to = reader.isTired ? envelope.region(at).end : reader.text.length;
  const read = readPython(reader.source, at, { to, closes: (place) => envelope.closes(place) });
  if (read.state !== "read") {
    const region = envelope.region(at);
    const isCut = read.state === "cut" && !region.isClosed;
    return unusable(Math.max(region.end, at), {
      kind: isCut ? "cut" : "unreadable",
      at: read.end,
      expected: "a call with literal values",
      ...(read.name === undefined ? {} : { name: read.name }),
    });
  }
  const { end, isRepaired } = read;
  const written: Written[] = [];
  for (const call of read.calls) {
    const input = bound(reader, call);
    if (input === undefined) {
      const expected = "every argument with its name";
      return unusable(end, { kind: "unreadable", at, name: call.name, expected });
    }
    written.push({ name: call.name, input, hasArguments: true });
  }
  return foundCalls(reader, written, { at, end, isRepaired });
}

/** Values without a name are the tool's parameters in their order. */
function bound(reader: Reader, call: PythonCall): Record<string, unknown> | undefined {
  if (call.positional.length === 0) return call.named;
  const tool = reader.tools.resolve(call.name);
  if (tool === undefined) return call.named;
  const names = reader.tools.parameters(tool);
  if (call.positional.length > names.length) return undefined;
  const members = call.positional.map((value, i): [string, unknown] => [names[i] ?? "", value]);
  if (members.some(([name]) => Object.hasOwn(call.named, name))) return undefined;
  return Object.fromEntries([...members, ...Object.entries(call.named)]);
}

function afterComments(reader: Reader, from: number): number {
  let at = from;
  while (reader.text.charAt(at) === "#") {
    at = reader.source.skipBlanks(reader.source.lineEnd(at));
  }
  return at;
}
