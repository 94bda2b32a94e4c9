/** Old calls as some servers write them into the prompt, and models copy them: `[Calling tool: read_file({…})]`. */
import type { Family, Form, Starts } from "../grammar.ts";
import type { Reader } from "../reader.ts";
import { pythonForm } from "./python_list.ts";

const HEAD = /\[Calling tool:\s*/y;
const WORD = "[Calling tool:";

const flattenedForm: Form = {
  words: [WORD],
  starts(reader: Reader, at: number): Starts {
    HEAD.lastIndex = at;
    if (!HEAD.test(reader.text)) {
      const tail = reader.text.slice(at, at + WORD.length);
      return WORD.startsWith(tail) && tail.length < WORD.length ? reader.more() : false;
    }
    const call = HEAD.lastIndex;
    return call >= reader.text.length ? reader.more() : pythonForm.starts(reader, call);
  },
  read(reader, at, envelope) {
    HEAD.lastIndex = at;
    HEAD.test(reader.text);
    const item = pythonForm.read(reader, HEAD.lastIndex, envelope);
    const end = reader.source.skipBlanks(item.end);
    return reader.text.charAt(end) === "]" ? { ...item, end: end + 1 } : item;
  },
};

export const flattened: Family = { name: "flattened history", forms: [flattenedForm] };
