/** Keys of the input that a person gave other meanings: what KEYS is written with. */

/** What can be done to the text in the input. */
export const EDIT_ACTIONS = [
  "newline",
  "up",
  "down",
  "left",
  "right",
  "wordLeft",
  "wordRight",
  "lineStart",
  "lineEnd",
  "deleteBack",
  "deleteForward",
  "killBlankWord",
  "killWordBack",
  "killWordForward",
  "killToLineStart",
  "killToLineEnd",
  "yank",
  "yankOlder",
  "undo",
] as const;

/** One of them; the key table says with which key. */
export type EditAction = (typeof EDIT_ACTIONS)[number];

/** What can be given other keys. What interrupts, sends, and goes back keeps its own, so that nobody is locked in. */
export const BINDABLE = [
  "search",
  "complete",
  "mode",
  "viewer",
  "rail",
  "external",
  "redraw",
  "suspend",
  "help",
  ...EDIT_ACTIONS,
] as const;

/** One of them. */
export type Bindable = (typeof BINDABLE)[number];

/** Keys that are never given away. */
const KEPT: ReadonlySet<string> = new Set(["enter", "escape", "ctrl+c", "ctrl+d"]);

const ENTRY = /^([A-Za-z]+)=(\S+(?: \S+)?)$/;
/** A named key, or a character with Ctrl or Alt: a character alone is text. */
const KEY =
  /^(?:(?:ctrl\+|alt\+|shift\+|super\+)*(?:f\d{1,2}|up|down|left|right|home|end|pageup|pagedown|insert|delete|backspace|tab|enter|space)|(?:(?:ctrl|alt|super)\+)+(?:shift\+)?[^\s+])$/;

/** In the place of a key: the action has none. */
export const NO_KEY = "none";

/** An entry of KEYS, `ACTION=KEY`, `ACTION=KEY KEY` or `ACTION=none`; undefined when it is none. */
export function keyBinding(text: string): { action: Bindable; key?: string } | undefined {
  const [, name, key = ""] = ENTRY.exec(text) ?? [];
  const action = BINDABLE.find((one) => one === name);
  if (action !== undefined && key === NO_KEY) return { action };
  const parts = key.split(" ");
  const isKey = parts.every((part) => KEY.test(part) && !KEPT.has(part));
  return action === undefined || !isKey ? undefined : { action, key };
}
