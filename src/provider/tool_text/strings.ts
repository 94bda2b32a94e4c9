/** String literals as models write them: where they end, and what they say. Nothing that is not an escape is changed. */

/** Which closing quote belongs to an opening one. Curly and full-width quotes stand for straight ones. */
const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "“": "”",
  "”": "”",
  "„": "”",
  "‟": "”",
  "〝": "〞",
  "＂": "＂",
  "‘": "’",
};

const JSON_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

const PYTHON_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "\\": "\\",
  "\n": "",
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

const PYTHON_ESCAPE =
  /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|([0-7]{1,3})|(\r\n|[\s\S]))/gi;

/** The quote that closes a string opened by `quote`; undefined when that is no quote. */
export function closingQuote(quote: string): string | undefined {
  return CLOSING[quote];
}

/** Place of the closing quote of a string whose inside starts at `from`; -1 when it is not closed before `to`. */
export function stringEnd(text: string, from: number, quote: string, to = text.length): number {
  let at = from;
  for (;;) {
    const end = text.indexOf(quote, at);
    if (end === -1 || end >= to) return -1;
    let backslashes = 0;
    while (end - backslashes > from && text.charAt(end - backslashes - 1) === "\\") {
      backslashes += 1;
    }
    if (backslashes % 2 === 0) return end;
    at = end + quote.length;
  }
}

/** What the inside of a JSON string says. An escape that JSON does not have stays as its two characters. */
export function jsonText(inside: string): string {
  if (!inside.includes("\\")) return inside;
  return inside.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (whole, hex: string, char: string) => {
    if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
    return JSON_ESCAPES[char] ?? whole;
  });
}

/** What the inside of a Python string says. An escape that Python does not have stays as its two characters. */
export function pythonText(inside: string): string {
  if (!inside.includes("\\")) return inside;
  return inside.replace(PYTHON_ESCAPE, (whole, x, u, long, octal, char) => {
    const hex: string | undefined = x ?? u ?? long;
    if (hex !== undefined) {
      const code = parseInt(hex, 16);
      // `\x` and `\U` are case-sensitive in Python, and `\X41` is no escape.
      if (!"xuU".includes(whole.charAt(1)) || code > 0x10ffff) return whole;
      return String.fromCodePoint(code);
    }
    if (octal !== undefined) return String.fromCodePoint(parseInt(octal, 8));
    return PYTHON_ESCAPES[char === "\r\n" ? "\n" : char] ?? whole;
  });
}
