/** Every key of the full screen, declared once: the dispatcher, `/keys` and the help behind `?` read this table. */
import { type EditAction, keyBinding } from "@/settings/key_binding.ts";

/** What a key can do outside of the text. */
export type Action =
  | EditAction
  | "send"
  | "back"
  | "interrupt"
  | "leave"
  | "search"
  | "complete"
  | "mode"
  | "viewer"
  | "redraw"
  | "external"
  | "rail"
  | "suspend"
  | "help"
  | "yes"
  | "no"
  | "always"
  | "edit"
  | "pageUp"
  | "pageDown"
  | "first"
  | "last"
  | "dialLeft"
  | "dialRight"
  | "nextItem"
  | "previousItem"
  | "find";

/** Where a key means something: in the input, at a question or picker, in the viewer. */
export type Where = "input" | "choice" | "viewer";

export type KeyRow = {
  action: Action;
  where: Where;
  /** Names as the key reader gives them; two with a blank between are pressed one after the other. */
  keys: readonly string[];
  help: string;
};

function rows(where: Where, table: readonly (readonly [Action, readonly string[], string])[]) {
  return table.map(([action, keys, help]): KeyRow => ({ action, where, keys, help }));
}

/** The same key with Caps Lock on, on a Korean (two-set) and on a Russian keyboard. */
const SAME_KEY: Readonly<Record<string, readonly string[]>> = {
  y: ["ㅛ", "н"],
  n: ["ㅜ", "т"],
  a: ["ㅁ", "ф"],
  e: ["ㄷ", "у"],
};

function letter(latin: string): readonly string[] {
  return [latin, latin.toUpperCase(), ...SAME_KEY[latin] ?? []];
}

/** The table, in the order of the help. */
export const KEYS: readonly KeyRow[] = [
  ...rows("input", [
    ["send", ["enter"], "send; while the model works, put it in the queue; take a menu's item"],
    ["newline", ["shift+enter", "alt+enter", "ctrl+j"], "new line (also \\ and Enter)"],
    ["back", ["escape"], "close a menu; interrupt the turn; twice on a text: clear it"],
    ["interrupt", ["ctrl+c"], "clear the text; interrupt the turn; twice: leave"],
    ["leave", ["ctrl+d"], "delete the next character; on an empty input: leave"],
    ["up", ["up", "ctrl+p"], "row above; at the top: queued messages, then earlier ones"],
    ["down", ["down", "ctrl+n"], "row below; at the bottom: later ones"],
    ["search", ["ctrl+r"], "search earlier messages"],
    ["complete", ["tab"], "complete a /command or an @path"],
    ["mode", ["shift+tab"], "next mode: ask, auto, plan"],
    ["viewer", ["ctrl+o"], "open the newest card, or the viewer"],
    ["rail", ["ctrl+t"], "show what is alive, or hide it"],
    ["external", ["ctrl+g", "ctrl+x ctrl+e"], "edit the text in $VISUAL or $EDITOR"],
    ["redraw", ["ctrl+l"], "draw anew; twice: print the latest items again"],
    ["suspend", ["ctrl+z"], "suspend; fg comes back"],
    ["help", ["?"], "on an empty input: these keys"],
    ["lineStart", ["home", "ctrl+a"], "start of the line"],
    ["lineEnd", ["end", "ctrl+e"], "end of the line"],
    ["left", ["left", "ctrl+b"], "character to the left"],
    ["right", ["right", "ctrl+f"], "character to the right"],
    ["wordLeft", ["alt+b", "ctrl+left", "alt+left"], "word to the left"],
    ["wordRight", ["alt+f", "ctrl+right", "alt+right"], "word to the right"],
    ["deleteBack", ["backspace", "shift+backspace"], "delete the character before"],
    ["deleteForward", ["delete"], "delete the next character"],
    ["killBlankWord", ["ctrl+w"], "kill back to the blank"],
    ["killWordBack", ["alt+backspace", "ctrl+backspace"], "kill the word before"],
    ["killWordForward", ["alt+d", "ctrl+delete"], "kill the next word"],
    ["killToLineStart", ["ctrl+u"], "kill to the start of the line"],
    ["killToLineEnd", ["ctrl+k"], "kill to the end of the line"],
    ["yank", ["ctrl+y"], "put back what was killed"],
    ["yankOlder", ["alt+y"], "after that: what was killed before it"],
    ["undo", ["ctrl+_", "ctrl+-", "ctrl+/"], "undo"],
  ]),
  ...rows("choice", [
    ["yes", letter("y"), "yes, this once"],
    ["no", letter("n"), "no; what is typed then is the reason"],
    ["always", letter("a"), "always; then how far that reaches"],
    ["edit", [...letter("e"), "ctrl+g"], "edit what is asked about before it runs"],
    ["up", ["up", "k", "ctrl+p"], "up"],
    ["down", ["down", "j", "ctrl+n"], "down"],
    ["pageUp", ["pageup"], "page up"],
    ["pageDown", ["pagedown", "space"], "page down"],
    ["first", ["home"], "first"],
    ["last", ["end"], "last"],
    ["dialLeft", ["left"], "turn the dial"],
    ["dialRight", ["right"], "turn the dial"],
    ["send", ["enter"], "take it"],
    ["back", ["escape"], "no; cancel"],
    ["interrupt", ["ctrl+c"], "no, and interrupt the turn"],
    ["viewer", ["ctrl+o"], "everything about the question"],
  ]),
  ...rows("viewer", [
    ["up", ["up", "k"], "up"],
    ["down", ["down", "j", "enter"], "down"],
    ["pageUp", ["pageup", "b"], "page up"],
    ["pageDown", ["pagedown", "space"], "page down"],
    ["first", ["home", "g"], "to the start"],
    ["last", ["end", "G"], "to the end"],
    ["nextItem", ["n", "]"], "next match; without a search, next item"],
    ["previousItem", ["N", "["], "match or item before"],
    ["find", ["/"], "search"],
    ["back", ["q", "escape", "ctrl+o", "ctrl+c"], "back"],
  ]),
];

/** Actions of the input and the keys that a person gave them, in the words of KEYS. */
export type Bindings = () => readonly string[];

/** The table as it is asked: which action a key has. The person may change their keys at any time. */
export class KeyMap {
  readonly #bindings: Bindings;
  #entries: readonly string[];
  #rows: readonly KeyRow[] = [];
  readonly #actions = new Map<string, Action>();
  readonly #starts = new Set<string>();

  constructor(bindings: Bindings = () => NO_BINDINGS) {
    this.#bindings = bindings;
    this.#entries = bindings();
    this.#bind();
  }

  get rows(): readonly KeyRow[] {
    this.#refresh();
    return this.#rows;
  }

  action(where: Where, key: string): Action | undefined {
    this.#refresh();
    return this.#actions.get(`${where} ${key}`);
  }

  /** Whether a key is the first of two. */
  isStart(where: Where, key: string): boolean {
    this.#refresh();
    return this.#starts.has(`${where} ${key}`);
  }

  #refresh(): void {
    const entries = this.#bindings();
    if (entries === this.#entries) return;
    this.#entries = entries;
    this.#bind();
  }

  #bind(): void {
    this.#rows = boundRows(this.#entries);
    this.#actions.clear();
    this.#starts.clear();
    for (const { action, where, keys } of this.#rows) {
      for (const key of keys) {
        const [first, second] = key.split(" ");
        this.#actions.set(`${where} ${key}`, action);
        if (second !== undefined) this.#starts.add(`${where} ${first}`);
      }
    }
  }

  /** The table as text, for `/keys`. */
  help(where: readonly Where[] = ["input", "choice", "viewer"]): string {
    const { rows } = this;
    const titles = { input: "Input", choice: "Questions and pickers", viewer: "Viewer" };
    const keysOf = ({ keys }: KeyRow) =>
      keys.filter((key) => isForHelp(key, keys)).map(spoken).join(", ") || "none";
    const width = Math.max(...rows.map((row) => keysOf(row).length));
    return where.map((one) => {
      const own = rows.filter((row) => row.where === one);
      const lines = own.map((row) => `  ${keysOf(row).padEnd(width)}  ${row.help}`);
      return [titles[one], ...lines].join("\n");
    }).join("\n");
  }
}

/** One and the same, so that nothing is bound anew while nothing is changed. */
const NO_BINDINGS: readonly string[] = [];

/** The table with the person's keys: an action that was given any has only those, and a key has one action. */
function boundRows(entries: readonly string[]): readonly KeyRow[] {
  const given = new Map<string, string[]>();
  for (const { action, key } of entries.flatMap((entry) => keyBinding(entry) ?? [])) {
    given.set(action, [...given.get(action) ?? [], ...(key === undefined ? [] : [key])]);
  }
  const taken = new Set([...given.values()].flat());
  return KEYS.map((row) =>
    row.where === "input"
      ? { ...row, keys: given.get(row.action) ?? row.keys.filter((key) => !taken.has(key)) }
      : row
  );
}

/** A letter stands for the same key on other keyboards too. */
function isForHelp(key: string, keys: readonly string[]): boolean {
  return [...key].length > 1 || key === keys[0] || !/\p{L}/u.test(keys[0] ?? "");
}

/** Names of two words. */
const SPOKEN: Readonly<Record<string, string>> = { pageup: "PageUp", pagedown: "PageDown" };

/** "ctrl+x ctrl+e" as people write it. */
function spoken(keys: string): string {
  return keys.split(" ").map((key) => {
    const parts = key.split("+");
    if (parts.length === 1 && key.length === 1) return key;
    return parts.map((part) => SPOKEN[part] ?? `${part[0]?.toUpperCase() ?? ""}${part.slice(1)}`)
      .join("+");
  }).join(" ");
}
