/** Invoke tags: MiniMax-M2, models that imitate Claude, Muse, Step 3, and DeepSeek's DSML. */
import { type ElementStyle, nameOf, readElement, startsKnownElement } from "../element.ts";
import type { Family, Form, Starts } from "../grammar.ts";
import type { Reader } from "../reader.ts";

const PREFIXES = ["", "antml:", "atem:", "steptml:", "minimax:"];
const STYLE: ElementStyle = {
  parameters: PREFIXES.map((prefix) => `${prefix}parameter`),
  closing: /<\\?\/(?:\w+:)?param(?:eter)?\w*\s*>/gi,
};
const DSML_STYLE: ElementStyle = {
  parameters: ["|dsml|parameter"],
  closing: /<\\?\/[|｜‖]+\s*DSML\s*[|｜‖]+\s*parameter\w*\s*>/gi,
  isExact: true,
};

const invokeForm = elementForm(PREFIXES.map((prefix) => `${prefix}invoke`), STYLE);
const dsmlForm = elementForm(["|dsml|invoke"], DSML_STYLE);

export const invoke: Family = {
  name: "invoke",
  wrappers: [
    { open: "minimax:tool_call", close: ["/minimax:tool_call"] },
    { open: "antml:function_calls", close: ["/antml:function_calls"] },
    { open: "atem:function_calls", close: ["/atem:function_calls"] },
    { open: "|dsml|function_calls", close: ["/|dsml|function_calls"] },
    { open: "|dsml|tool_calls", close: ["/|dsml|tool_calls"] },
    { open: "|dsml|calls", close: ["/|dsml|calls"] },
  ],
  forms: [invokeForm, dsmlForm],
};

function elementForm(tags: readonly string[], style: ElementStyle): Form {
  return {
    tags,
    starts(reader: Reader, at: number): Starts {
      const tag = reader.source.tagAt(at);
      if (tag === undefined) return reader.mayBecomeTag(at);
      return tags.includes(tag.name) && nameOf(tag) !== "";
    },
    startsBare: startsKnownElement,
    read: (reader, at, envelope) => readElement(reader, at, { style, envelope }),
  };
}
