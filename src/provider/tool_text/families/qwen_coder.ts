/** Function tags: Qwen3-Coder, Qwen3.5, Nemotron 3, Step 3.5, Seed-OSS, MiniCPM, Llama's own functions, Functionary 3.1. */
import { type ElementStyle, nameOf, readElement, startsKnownElement } from "../element.ts";
import type { Family, Form, Starts } from "../grammar.ts";
import type { Reader } from "../reader.ts";

const STYLE: ElementStyle = {
  parameters: ["parameter", "param"],
  closing: /<\\?\/param(?:eter)?\w*\s*>/gi,
};

const functionForm: Form = {
  tags: ["function"],
  starts(reader: Reader, at: number): Starts {
    const tag = reader.source.tagAt(at);
    if (tag === undefined) return reader.mayBecomeTag(at);
    return tag.name === "function" && nameOf(tag) !== "";
  },
  startsBare: startsKnownElement,
  read: (reader, at, envelope) => readElement(reader, at, { style: STYLE, envelope }),
};

export const qwenCoder: Family = {
  name: "qwen coder",
  wrappers: [{ open: "seed:tool_call", close: ["/seed:tool_call"] }],
  forms: [functionForm],
};
