/** Names of keys, from the numbers that terminals send for them. */

/** Control characters by code. 0x08 is Backspace too: Ctrl+H and some terminals' own Backspace send it. */
const CONTROL: Readonly<Record<number, string>> = {
  0x00: "ctrl+space",
  0x08: "backspace",
  0x09: "tab",
  0x0a: "ctrl+j",
  0x0d: "enter",
  0x1c: "ctrl+\\",
  0x1d: "ctrl+]",
  0x1e: "ctrl+^",
  0x1f: "ctrl+_",
  0x7f: "backspace",
};

/** Final characters of CSI and SS3. */
const FINAL: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  E: "begin",
  F: "end",
  H: "home",
  M: "enter",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
  Z: "shift+tab",
};

/** First parameter of `CSI n ~`. */
const TILDE: Readonly<Record<number, string>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "pageup",
  6: "pagedown",
  7: "home",
  8: "end",
  11: "f1",
  12: "f2",
  13: "f3",
  14: "f4",
  15: "f5",
  17: "f6",
  18: "f7",
  19: "f8",
  20: "f9",
  21: "f10",
  23: "f11",
  24: "f12",
};

/** Code points of CSI u that are no characters. The keypad is named like the keys it doubles. */
const SPECIAL: Readonly<Record<number, string>> = {
  9: "tab",
  13: "enter",
  27: "escape",
  32: "space",
  127: "backspace",
  57414: "enter",
  57417: "left",
  57418: "right",
  57419: "up",
  57420: "down",
  57421: "pageup",
  57422: "pagedown",
  57423: "home",
  57424: "end",
  57425: "insert",
  57426: "delete",
};
const KEYPAD = "0123456789./*-+";
const KEYPAD_FIRST = 57399;

/** Russian letters and the Latin ones on the same keys: with Ctrl or Alt the key counts, not the letter. */
const CYRILLIC = "йцукенгшщзхъфывапролджэячсмитьбю";
const LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,.";

/** The key of a control character; undefined for every other code. */
export function legacyKey(code: number): string | undefined {
  const named = CONTROL[code];
  if (named !== undefined) return named;
  if (code >= 0x01 && code <= 0x1a) return `ctrl+${String.fromCharCode(code + 0x60)}`;
  return undefined;
}

/** The key of `CSI 1;modifiers FINAL` or `SS3 FINAL`. */
export function functionKey(final: string, parameters: string): string | undefined {
  const name = FINAL[final];
  if (name === undefined || isRelease(parameters)) return undefined;
  const prefix = prefixOf(modifiersOf(parameters.split(";")[1]));
  return name === "shift+tab" ? name : prefix + name;
}

/** The key of `CSI code;modifiers u`, `CSI number;modifiers ~` and `CSI 27;modifiers;code ~`. */
export function numberedKey(
  parameters: string,
  final: "u" | "~",
): { name: string; text: string } | undefined {
  if (isRelease(parameters)) return undefined;
  const fields = parameters.split(";");
  const first = Number((fields[0] ?? "").split(":")[0]);
  const modifiers = modifiersOf(fields[1]);
  if (final === "u") return unicodeKey(first, modifiers);
  if (first === 27 && fields[2] !== undefined) return unicodeKey(Number(fields[2]), modifiers);
  const name = TILDE[first];
  return name === undefined ? undefined : { name: prefixOf(modifiers) + name, text: "" };
}

/** The key that writes a code point, with modifiers as a bit field: 1 Shift, 2 Alt, 4 Ctrl, 8 Super and higher. */
export function unicodeKey(
  point: number,
  modifiers: number,
): { name: string; text: string } | undefined {
  if (!Number.isInteger(point) || point <= 0 || point > 0x10ffff) return undefined;
  const keypad = KEYPAD[point - KEYPAD_FIRST];
  const special = keypad === undefined ? SPECIAL[point] : undefined;
  if (special !== undefined) {
    const isPlainSpace = special === "space" && (modifiers & ~1) === 0;
    return isPlainSpace
      ? { name: "space", text: " " }
      : { name: prefixOf(modifiers) + special, text: "" };
  }
  // The rest of the private area: Caps Lock, media keys, modifiers by themselves.
  if (keypad === undefined && point >= 57344 && point <= 63743) return undefined;
  const control = legacyKey(point);
  if (control !== undefined) return { name: control, text: "" };
  const char = keypad ?? String.fromCodePoint(point);
  if ((modifiers & ~1) === 0) {
    const text = modifiers === 1 ? char.toUpperCase() : char;
    return { name: text, text };
  }
  // Ctrl+_ comes as the key below it with Shift from some terminals.
  const letter = LATIN[CYRILLIC.indexOf(char.toLowerCase())] ?? char.toLowerCase();
  const isLetter = /^[a-z]$/.test(letter);
  return { name: prefixOf(isLetter ? modifiers : modifiers & ~1) + letter, text: "" };
}

/** Bits of the modifier parameter, without the locks. */
function modifiersOf(field: string | undefined): number {
  const value = Number((field ?? "").split(":")[0]);
  return Number.isInteger(value) && value > 1 ? (value - 1) & 0b111111 : 0;
}

/** Event type 3: the key was let go. */
function isRelease(parameters: string): boolean {
  return /^[^;]*;\d*:3/.test(parameters);
}

function prefixOf(modifiers: number): string {
  const names = [
    ...(modifiers & 4 ? ["ctrl+"] : []),
    ...(modifiers & 2 ? ["alt+"] : []),
    ...(modifiers & 1 ? ["shift+"] : []),
    ...(modifiers & 0b111000 ? ["super+"] : []),
  ];
  return names.join("");
}
