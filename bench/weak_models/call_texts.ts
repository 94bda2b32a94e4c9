/**
 * Replies in the manner of small models, with what has to come of each: calls in the formats of their families, clean and
 * broken in the ways that are reported of them, and texts that only look like calls.
 */
import written from "./written.json" with { type: "json" };
import { type Call, FAMILIES, type Family, type Print, python } from "./families.ts";

/** `calls` run, and nothing else. `isReported`: the model has to be told about something that could not be used. */
export type CallText = {
  id: string;
  reply: string;
  stop: "end" | "length";
  calls: readonly Call[];
  isReported: boolean;
};

const SETS: readonly (readonly Call[])[] = [
  [["read_file", { filepath: "src/harbour/tide.ts", start: 12, end: 40 }]],
  [["list_dir", { dirpath: "docs/회의" }], ["read_file", { filepath: "docs/회의/6월.md" }]],
  [["run_cmd", { command: `grep -rn "open('" lib | sort -u && echo "done"` }]],
  [["search_in_file", { query: "^\\s*fn\\s+\\w+\\(", is_regex: true }]],
  [["write_file", {
    filepath: "tools/wind.py",
    content:
      "def gust(knots):\n    if knots < 0:\n        raise ValueError('no \"negative\" wind')\n    return {k: v for k, v in [(1, knots)]}\n",
  }]],
  [["get_url", { url: "https://example.org/a?b=1&c=%20d#e" }]],
  [["edit_file", {
    filepath: "web/index.html",
    old_content: '<a href="/old">Tom &amp; Ann</a>',
    new_content: '<a href="/new">Tom &amp; Ann</a>',
  }]],
  [["git_status", {}]],
  [["write_memory", { id: "tabs", content: "She wants tabs, not spaces; \\t in Makefiles." }]],
  [["read_file", { filepath: "a.md" }], ["read_file", { filepath: "b.md" }]],
];
/** For damage that needs an ordinary call. */
const PLAIN: readonly Call[] = [["read_file", { filepath: "src/buoy.ts", start: 3 }]];
const WRITE: readonly Call[] = [["write_file", {
  filepath: "notes/log.md",
  content: "# Log\n\n- first line of many\n- second line\n",
}]];

/** Damage of the JSON that changes nothing of what is meant. */
const CARELESS: Readonly<Record<string, { print: Print; calls?: readonly Call[] }>> = {
  "trailing comma": { print: (value) => JSON.stringify(value).replace(/\}$/, ",}") },
  "single quotes": { print: python },
  "keys without quotes": {
    print: (value) => JSON.stringify(value).replace(/([{,])"(\w+)":/g, "$1$2: "),
    calls: PLAIN,
  },
  "a brace too many": { print: (value) => `${JSON.stringify(value)}}`, calls: PLAIN },
  "doubled braces": { print: (value) => `{${JSON.stringify(value)}}`, calls: PLAIN },
  "line breaks in strings": {
    print: (value) => JSON.stringify(value).replaceAll("\\n", "\n"),
    calls: WRITE,
  },
  "curly quotes": {
    print: (value) => JSON.stringify(value).replaceAll(/"([^"]*)"/g, "“$1”"),
    calls: PLAIN,
  },
  "numbers as text": {
    print: (value) => JSON.stringify(value).replace(/:(\d+)/g, ':"$1"'),
    calls: PLAIN,
  },
  "a comment": {
    print: (value) => JSON.stringify(value).replace(/^\{/, "{ // the call\n"),
    calls: PLAIN,
  },
  "escapes that JSON has not": {
    print: (value) => JSON.stringify(value).replaceAll("\\\\", "\\"),
    calls: [["search_in_file", { query: "\\d+\\s\\w", is_regex: true }]],
  },
  "much space": { print: (value) => JSON.stringify(value, null, 4) },
};

/** Damage of the envelope: other keys, other spellings of the name. */
const ENVELOPES: Readonly<Record<string, (call: Call) => unknown>> = {
  "arguments as text": ([name, args]) => ({ name, arguments: JSON.stringify(args) }),
  "key parameters": ([name, args]) => ({ name, parameters: args }),
  "key args": ([name, args]) => ({ name, args }),
  "keys tool_name and input": ([name, args]) => ({ tool_name: name, input: args }),
  "key function": ([name, args]) => ({ function: name, arguments: args }),
  "nested function": ([name, args]) => ({ type: "function", function: { name, arguments: args } }),
  "prefix functions.": ([name, args]) => ({ name: `functions.${name}`, arguments: args }),
  "camel case": ([name, args]) => ({ name: camel(name), arguments: args }),
  "an id beside": ([name, args]) => ({ id: "call_1", name, arguments: args }),
};

/** What may stand around a call that is marked. */
const AROUND: Readonly<Record<string, (text: string) => string>> = {
  "prose before": (text) => `I will look at it first.\n\n${text}`,
  "prose after": (text) => `${text}\nThen I will go on.`,
  "reasoning before": (text) => `<think>\nWhere is it? Maybe in src.\n</think>\n\n${text}`,
  "only the end of reasoning": (text) => `Where is it? Maybe in src.\n</think>\n\n${text}`,
  "an end token": (text) => `${text}<|im_end|>`,
  "the same three times": (text) => `${text}\n${text}\n${text}`,
};

/** What makes a call a text that is only shown. */
const SHOWN: Readonly<Record<string, (text: string) => string>> = {
  "in inline code": (text) =>
    `Write \`${text.replaceAll("`", "").replaceAll("\n", " ")}\` and it runs.`,
  "in a sample": (text) => `It looks like this:\n\n~~~text\n${text}\n~~~\n\nThat is all.`,
  "in a quote": (text) => `You wrote:\n\n${text.replaceAll(/^/gm, "> ")}\n\nIs that so?`,
  "in reasoning, with an answer": (text) => `<think>\n${text}\n</think>\nThere is nothing to do.`,
};

/** The whole corpus. */
export function callTexts(): CallText[] {
  const texts = [
    ...FAMILIES.flatMap((family, at) => [
      ...cleanTexts(family, at),
      ...(family.holds === "envelope" || family.holds === "json" ? careless(family) : []),
      ...(family.holds === "envelope" ? envelopes(family) : []),
      ...(family.form === "marked" ? [...around(family), ...refused(family)] : whole(family)),
      ...shown(family),
    ]),
    ...written.map(({ id, reply, stop, calls, isReported }) => ({
      id,
      reply,
      stop: stop === "length" ? "length" as const : "end" as const,
      calls: calls as unknown as readonly Call[],
      isReported,
    })),
  ];
  return texts;
}

function text(
  { name }: Family,
  what: string,
  { reply, calls = [], isReported = false, stop = "end" }: Partial<CallText> & { reply: string },
): CallText {
  return { id: `${name}: ${what}`, reply, stop, calls, isReported };
}

function cleanTexts(family: Family, at: number): CallText[] {
  return SETS.flatMap((calls, index) => {
    if (calls.length > 1 && !family.isPlural) return [];
    // Every family meets half of them; over the families each comes up as often.
    if ((index + at) % 2 !== 0) return [];
    return [text(family, `clean ${index}`, { reply: family.write(calls), calls })];
  });
}

function careless(family: Family): CallText[] {
  return Object.entries(CARELESS).map(([what, { print, calls = WRITE }]) =>
    text(family, what, { reply: family.write(calls, print), calls })
  );
}

function envelopes(family: Family): CallText[] {
  const [call] = PLAIN;
  if (call === undefined) return [];
  return Object.entries(ENVELOPES).map(([what, envelope]) =>
    text(family, what, {
      reply: family.write([call], () => JSON.stringify(envelope(call))),
      calls: [call],
    })
  );
}

function around(family: Family): CallText[] {
  const reply = family.write(PLAIN);
  const { closer } = family;
  return [
    ...Object.entries(AROUND).map(([what, put]) =>
      text(family, what, { reply: put(reply), calls: PLAIN })
    ),
    ...(closer === undefined ? [] : [
      text(family, "closer missing", { reply: reply.slice(0, -closer.length), calls: PLAIN }),
    ]),
    text(family, "an invented result and another call", {
      reply: `${reply}\n<tool_response>\nexport const buoy = 1;\n</tool_response>\n${
        family.write([["run_cmd", { command: "rm -r build" }]])
      }`,
      calls: PLAIN,
    }),
  ];
}

/** Marked, and not to be run: the model is told. */
function refused(family: Family): CallText[] {
  const reply = family.write(WRITE);
  const cut = reply.slice(0, reply.indexOf("first line"));
  return [
    text(family, "cut in a text", { reply: cut, isReported: true }),
    text(family, "cut by the cap", { reply: cut, stop: "length", isReported: true }),
    text(family, "no such tool", {
      reply: family.write([["launch_probe", { target: "moon" }]]),
      isReported: family.isBare !== true,
    }),
    text(family, "in reasoning that never ends", {
      reply: `<think>\nI should call it:\n${family.write(PLAIN)}`,
      isReported: true,
    }),
  ];
}

/** Calls only as the whole reply: with anything beside them they are an answer. */
function whole(family: Family): CallText[] {
  return [
    text(family, "with an explanation", {
      reply: `${family.write(PLAIN)}\n\nThis object has two keys, as you see.`,
    }),
    text(family, "no such tool", { reply: family.write([["launch_probe", { target: "moon" }]]) }),
    text(family, "cut in a text", {
      reply: family.write(WRITE).slice(0, -12),
      isReported: true,
    }),
  ];
}

function shown(family: Family): CallText[] {
  return Object.entries(SHOWN).map(([what, put]) =>
    text(family, what, { reply: put(family.write(PLAIN)) })
  );
}

function camel(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
