/** JSON behind a word or between brackets: Phi-4, Firefunction 2, Cohere, InternLM 2, LM Studio's default. */
import type { Family, Form, Starts } from "../grammar.ts";
import type { Reader } from "../reader.ts";
import { jsonForm } from "./hermes.ts";

const FUNCTOOLS = /functools\s*(?=\[\s*\{)/y;
const FUNCTOOLS_START = /functools\s*(?:\[\s*)?$/y;

/** `functools[` is also Python: it takes an object in the list. */
const functoolsForm: Form = {
  words: ["functools"],
  starts(reader: Reader, at: number): Starts {
    FUNCTOOLS.lastIndex = at;
    if (FUNCTOOLS.test(reader.text)) return true;
    FUNCTOOLS_START.lastIndex = at;
    return FUNCTOOLS_START.test(reader.text) ? reader.more() : false;
  },
  read(reader, at, envelope) {
    FUNCTOOLS.lastIndex = at;
    FUNCTOOLS.test(reader.text);
    return jsonForm.read(reader, FUNCTOOLS.lastIndex, envelope);
  },
};

export const brackets: Family = {
  name: "brackets",
  wrappers: [
    { open: "|start_action|", close: ["|end_action|"] },
    { open: "|action_start|", close: ["|action_end|"] },
    { open: "|plugin|", close: ["|action_end|"] },
    { open: "[tool_request]", close: ["[end_tool_request]"] },
  ],
  forms: [functoolsForm],
};
