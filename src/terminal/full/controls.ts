/** Where a key goes: to the viewer, to the panel that is up, to the input; and what keys do beyond a text. */
import { EXIT } from "../exit_code.ts";
import type { Driver } from "./driver.ts";
import type { Editor } from "./editor.ts";
import type { Hint } from "./hint.ts";
import { type Beyond, type InputArea, isEdit } from "./input_area.ts";
import type { Action, KeyMap } from "./key_map.ts";
import type { Input } from "./keys.ts";
import type { Notifier } from "./notify.ts";
import type { Panel } from "./panel.ts";
import type { Panels } from "./panels.ts";
import type { Progress } from "./progress.ts";
import type { Queue } from "./queue.ts";

type Key = Extract<Input, { type: "key" }>;

/** How soon a second press must follow to count as one. */
const TWICE_MS = 1_000;

export type ControlsOptions = {
  area: InputArea;
  panels: Panels;
  queue: Queue;
  progress: Progress;
  hint: Hint;
  notifier: Notifier;
  keys: KeyMap;
  driver(): Driver;
  /** The person leaves, with this exit code. */
  leave(code: number): void;
  now(): number;
  /** What the screen itself does. */
  screen: {
    /** Takes a key if the viewer is open. */
    viewerPress(key: Key): boolean;
    openTranscript(): void;
    openQuestion(panel: Panel): void;
    openHelp(): void;
    toggleRail(): void;
    redraw(isTwice: boolean): void;
    /** Edit the text of the input, or of a field, in a program of the person's. */
    editOutside(field?: Editor): void;
    suspend(): void;
  };
};

/** What a key of the input does wherever it is pressed, about the screen and not about what is typed. */
function everywhere(action: Action | undefined): Action | undefined {
  return action === "redraw" || action === "suspend" || action === "rail" ? action : undefined;
}

export class Controls {
  readonly #options: ControlsOptions;
  #last = { name: "", at: -Infinity };
  /** The first of two keys in a field. */
  #chord = "";

  constructor(options: ControlsOptions) {
    this.#options = options;
  }

  /** Something was typed. */
  take(input: Input): void {
    const { notifier, hint, panels, screen, area } = this.#options;
    if (input.type === "report") {
      if (input.text === "[I" || input.text === "[O") notifier.focus(input.text === "[I");
      return;
    }
    notifier.seen();
    hint.say("", 0);
    const panel = panels.current;
    if (input.type === "paste") return this.#paste(input.text, panel);
    if (screen.viewerPress(input)) return;
    const isForDraft = !panels.isArmed || (panel?.isBesideDraft === true && area.hasMenu);
    if (panel !== undefined && (!isForDraft || input.name === "ctrl+c")) {
      this.#panelKey(panel, input);
      return;
    }
    this.#type(() => this.#beyond(area.press(input.name, input.text), input.name));
  }

  /** Do something that may change the text in the input; if it did, nobody is to be answered by the next key. */
  #type(body: () => void): void {
    const { panels, area } = this.#options;
    const { buffer } = area.editor;
    const before = buffer.marked;
    body();
    if (buffer.marked !== before) panels.typed({ isEmpty: buffer.isEmpty });
  }

  /** A key goes to a panel, whether or not it is in sight. */
  pressPanel(panel: Panel, input: Key): void {
    this.#panelKey(panel, input);
  }

  /** Stop the turn and give back what was typed: what is queued, else what the turn was started with. */
  interrupt(): void {
    const { driver, queue, progress, area } = this.#options;
    driver().interrupt();
    const queued = queue.takeAll();
    const sent = progress.takeSent();
    if (queued.length > 0) area.giveBack(queued);
    else if (sent !== undefined && area.editor.isEmpty) area.giveBack([sent]);
  }

  #paste(text: string, panel: Panel | undefined): void {
    if (panel?.field === undefined) return this.#options.area.paste(text);
    panel.field.editor.paste(text);
    panel.typed?.();
  }

  #panelKey(panel: Panel, key: Key): void {
    const { keys } = this.#options;
    const own = keys.action(panel.field === undefined ? "choice" : "input", key.name);
    const action = own ?? everywhere(keys.action("input", key.name));
    switch (action) {
      case "interrupt":
        panel.cancel();
        if (this.#options.driver().isRunning()) this.interrupt();
        return;
      case "back":
        return panel.back();
      case "viewer":
        return this.#options.screen.openQuestion(panel);
      case "redraw":
      case "suspend":
      case "rail":
        return this.#beyond(action, key.name);
    }
    if (panel.field !== undefined) return this.#fieldKey(panel, key);
    const characters = [...key.text];
    const isWord = characters.length > 1;
    if (isWord && panel.isBesideDraft !== true) {
      for (const text of characters) {
        if (this.#options.panels.current !== panel) return;
        this.#panelKey(panel, { ...key, name: text, text });
      }
      return;
    }
    const isTaken = !isWord && panel.press({ action, name: key.name, text: key.text });
    if (!isTaken && panel.isBesideDraft === true) this.#draftKey(key);
  }

  /** A key that answers nothing is for the text in the input: what is typed is not lost. */
  #draftKey({ name, text }: Key): void {
    const { keys, area } = this.#options;
    const action = keys.action("input", name);
    if (action === "help") this.#type(() => area.insert(text));
    else if (action === "send" || isEdit(action) || text !== "") {
      this.#type(() => void area.press(name, text));
    }
  }

  #fieldKey(panel: Panel, { name, text }: Key): void {
    const { keys } = this.#options;
    const editor = panel.field?.editor;
    if (editor === undefined) return;
    const action = keys.action("input", this.#chord === "" ? name : `${this.#chord} ${name}`);
    this.#chord = keys.isStart("input", name) ? name : "";
    panel.typed?.();
    if (action === "external") {
      // A secret goes into no file, not even one that is deleted at once.
      if (panel.field?.isSecret !== true) this.#options.screen.editOutside(editor);
    } else if (action === "send") panel.submit();
    else if (action === "leave") editor.do("deleteForward");
    else if (action === "up" || action === "down") editor.do(action);
    else if (isEdit(action)) editor.do(action);
    else if (text !== "") editor.insert(text);
  }

  #beyond(action: Beyond | undefined, name: string): void {
    const { now, screen, driver, hint } = this.#options;
    const isTwice = action !== undefined && this.#last.name === name &&
      now() - this.#last.at < TWICE_MS;
    this.#last = { name: action === undefined ? "" : name, at: now() };
    switch (action) {
      case undefined:
        return;
      case "interrupt":
        return this.#pressedInterrupt(isTwice);
      case "back":
        return this.#pressedBack(isTwice);
      case "leave":
        if (driver().isRunning()) {
          hint.say("A turn runs: Esc interrupts it, Ctrl+C twice leaves", 4_000);
        } else this.#options.queue.end();
        return;
      case "mode":
        return driver().nextMode();
      case "rail":
        return screen.toggleRail();
      case "viewer":
        return screen.openTranscript();
      case "help":
        return screen.openHelp();
      case "redraw":
        return screen.redraw(isTwice);
      case "external":
        return screen.editOutside();
      case "suspend":
        return screen.suspend();
      default:
        action satisfies never;
    }
  }

  #pressedInterrupt(isTwice: boolean): void {
    const { driver, area, hint } = this.#options;
    if (isTwice) return this.#options.leave(EXIT.interrupted);
    const isRunning = driver().isRunning();
    const hadText = !area.editor.isEmpty;
    if (isRunning) this.interrupt();
    else if (hadText) area.clear();
    const said = isRunning ? "Interrupted" : hadText ? "Cleared" : "";
    hint.say([said, "Ctrl+C again leaves"].filter((text) => text !== "").join("; "), TWICE_MS);
  }

  #pressedBack(isTwice: boolean): void {
    const { driver, area, hint } = this.#options;
    if (driver().isRunning()) return this.interrupt();
    if (area.editor.isEmpty) return;
    if (isTwice) area.clear();
    else hint.say("Esc again clears the text; it stays in the history", TWICE_MS);
  }
}
