/** The input of the person: the text, earlier messages, the menus, and the search through what was typed before. */
import type { Completion } from "./completion.ts";
import { EDIT_ACTIONS, type EditAction } from "@/settings/key_binding.ts";
import { Editor } from "./editor.ts";
import type { History } from "./history.ts";
import type { Inks } from "./ink.ts";
import type { KeyMap } from "./key_map.ts";
import type { Queue } from "./queue.ts";
import { cutToWidth } from "@/lib/width.ts";
import { visible } from "@/lib/visible.ts";

/** What a key means beyond the text. */
export type Beyond =
  | "interrupt"
  | "back"
  | "leave"
  | "mode"
  | "viewer"
  | "redraw"
  | "external"
  | "rail"
  | "suspend"
  | "help";

export type InputAreaOptions = {
  keys: KeyMap;
  history: History;
  completion: Completion;
  queue: Queue;
  /** A message is complete. */
  send(text: string): void;
};

type Search = { words: string; found: { text: string; index: number } | undefined; draft: string };

/** What the editor does by itself; up and down may mean the history. */
const EDITS: ReadonlySet<string> = new Set(
  EDIT_ACTIONS.filter((action) => action !== "up" && action !== "down"),
);

/** Whether an action changes or moves in a text by itself. */
export function isEdit(action: string | undefined): action is EditAction {
  return action !== undefined && EDITS.has(action);
}

export class InputArea {
  readonly editor = new Editor();
  readonly #options: InputAreaOptions;
  #search: Search | undefined;
  /** The first of two keys that are pressed one after the other. */
  #chord = "";

  constructor(options: InputAreaOptions) {
    this.#options = options;
  }

  /** Whether something is open that takes keys like Enter and Esc for itself: a menu, the search. */
  get hasMenu(): boolean {
    return this.#search !== undefined || this.#options.completion.isOpen;
  }

  /** Takes a key; what is left for the screen to do, if anything. */
  press(name: string, text: string): Beyond | undefined {
    if (this.#search !== undefined) return this.#pressSearch(this.#search, name, text);
    const { keys, completion } = this.#options;
    const key = this.#chord === "" ? name : `${this.#chord} ${name}`;
    this.#chord = "";
    if (keys.isStart("input", key)) {
      this.#chord = key;
      return undefined;
    }
    const action = keys.action("input", key);
    if (completion.isOpen && this.#pressMenu(action)) return undefined;
    switch (action) {
      case "send":
        this.#send();
        return undefined;
      case "up":
      case "down":
        this.#vertical(action);
        return undefined;
      case "complete":
        this.#complete();
        return undefined;
      case "search":
        this.#search = { words: "", found: undefined, draft: this.editor.text };
        return undefined;
      case "leave":
        if (this.editor.isEmpty) return "leave";
        this.#edit("deleteForward");
        return undefined;
      case "help":
        if (this.editor.isEmpty) return "help";
        this.insert(text);
        return undefined;
      case "interrupt":
      case "back":
      case "mode":
      case "viewer":
      case "redraw":
      case "external":
      case "rail":
      case "suspend":
        return action;
      default:
        if (isEdit(action)) this.#edit(action);
        else if (text !== "" && !(text === "/" && this.#descend())) this.insert(text);
        return undefined;
    }
  }

  /** Whether a `/` was one of the menu's. */
  #descend(): boolean {
    const { buffer } = this.editor;
    const edit = this.#options.completion.descend(buffer.marked, buffer.caret);
    if (edit === undefined) return false;
    if (edit !== "there") {
      buffer.replace(edit.start, edit.end, edit.text);
      this.#changed();
    }
    return true;
  }

  insert(text: string): void {
    this.editor.insert(text);
    this.#changed();
  }

  paste(text: string): void {
    if (this.#search !== undefined) {
      this.#search = this.#searched(
        this.#search,
        this.#search.words + text.replaceAll(/\s+/g, " "),
      );
      return;
    }
    this.editor.paste(text);
    this.#changed();
  }

  /** Put a text back in front of what stands there now. */
  giveBack(texts: readonly string[]): void {
    const current = this.editor.text;
    const text = [...texts, ...(current === "" ? [] : [current])].join("\n");
    this.editor.set(text);
    this.#options.history.leave();
    this.#options.completion.close(this.editor.buffer.marked);
  }

  /** Replace the text, as after an external editor; can be undone. */
  replace(text: string): void {
    this.editor.set(text);
    this.#options.history.leave();
    this.#options.completion.close(this.editor.buffer.marked);
  }

  /** Clear it; the text stays in the history. */
  clear(): void {
    void this.#options.history.add(this.editor.text);
    this.editor.set("");
    this.#changed();
  }

  /** The rows above the input: the menu, or the search. */
  rows(columns: number, ink: Inks): readonly string[] {
    const search = this.#search;
    if (search === undefined) return this.#options.completion.rows(columns, ink);
    const { words, found } = search;
    const lines = found === undefined ? [] : visible(found.text).split("\n").slice(0, 3);
    const state = words !== "" && found === undefined ? ink.error("nothing holds ") : "search ";
    return [
      ...lines.map((line) => cutToWidth(`  ${line}`, columns - 1)),
      cutToWidth(
        `${state}${visible(words, { oneLine: true })}${
          ink.dim("  ctrl+r older · Enter takes it · Esc back")
        }`,
        columns - 1,
      ),
    ];
  }

  #pressSearch(search: Search, name: string, text: string): Beyond | undefined {
    const action = this.#options.keys.action("input", name);
    const close = (taken: string) => {
      this.#search = undefined;
      this.editor.set(taken);
      this.#options.completion.close(this.editor.buffer.marked);
    };
    if (action === "search") {
      const older = this.#options.history.find(search.words, search.found?.index);
      if (older !== undefined) search.found = older;
    } else if (action === "back" || action === "interrupt") close(search.draft);
    else if (action === "deleteBack") {
      this.#search = this.#searched(search, [...search.words].slice(0, -1).join(""));
    } else if (text !== "") this.#search = this.#searched(search, search.words + text);
    else {
      close(search.found?.text ?? search.draft);
      // Enter only takes it: a message that was found is looked at before it is sent.
      if (action !== "send") return this.press(name, text);
    }
    return undefined;
  }

  #searched(search: Search, words: string): Search {
    return {
      ...search,
      words,
      found: words === "" ? undefined : this.#options.history.find(words),
    };
  }

  /** Keys of an open menu; whether it took the key. */
  #pressMenu(action: string | undefined): boolean {
    const { completion } = this.#options;
    switch (action) {
      case "up":
        completion.move(-1);
        return true;
      case "down":
        completion.move(1);
        return true;
      case "back":
        completion.close(this.editor.buffer.marked);
        return true;
      case "complete":
        this.#accept();
        return true;
      case "send":
        return this.#accept();
      default:
        return false;
    }
  }

  #complete(): void {
    const { buffer } = this.editor;
    this.#options.completion.reopen(buffer.marked, buffer.caret);
  }

  /** Put in the chosen item; false when it is what stands there. */
  #accept(): boolean {
    const { completion } = this.#options;
    const edit = completion.accept();
    if (edit === undefined) {
      completion.close(this.editor.buffer.marked);
      return false;
    }
    this.editor.buffer.replace(edit.start, edit.end, edit.text);
    if (edit.goesOn) this.#changed();
    else completion.close(this.editor.buffer.marked);
    return true;
  }

  #send(): void {
    const { editor } = this;
    const { buffer } = editor;
    // A backslash at the end of the line asks for another line, on every terminal.
    if (buffer.marked.slice(0, buffer.caret).endsWith("\\")) {
      buffer.replace(buffer.caret - 1, buffer.caret, "\n");
      this.#changed();
      return;
    }
    const { text } = editor;
    if (text.trim() === "") return;
    editor.clear();
    this.#options.completion.update("", 0);
    this.#options.send(text);
  }

  #vertical(action: "up" | "down"): void {
    const { history, queue, completion } = this.#options;
    if (this.editor.do(action)) return;
    const isUp = action === "up";
    const queued = isUp && this.editor.isEmpty ? queue.takeNewest() : undefined;
    const text = queued ?? (isUp ? history.older(this.editor.text) : history.newer());
    if (text === undefined) return;
    this.editor.set(text);
    completion.close(this.editor.buffer.marked);
  }

  #edit(action: EditAction): void {
    const { buffer } = this.editor;
    const before = buffer.marked;
    this.editor.do(action);
    if (buffer.marked === before) this.#options.completion.update(before, buffer.caret);
    else this.#changed();
  }

  /** The text is a draft again, and a menu may belong to it. */
  #changed(): void {
    const { history, completion } = this.#options;
    const { marked, caret } = this.editor.buffer;
    history.leave();
    completion.update(marked, caret);
  }
}
