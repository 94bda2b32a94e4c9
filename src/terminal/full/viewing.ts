/** What the viewer shows: the transcript, and a question that waits with everything about it. */
import { wrapColumns } from "@/lib/wrap.ts";
import type { Inks } from "./ink.ts";
import type { KeyMap } from "./key_map.ts";
import type { Input } from "./keys.ts";
import type { Panel } from "./panel.ts";
import type { Stage } from "./stage.ts";
import type { TranscriptView } from "./transcript_face.ts";
import { Viewer, type ViewerSource } from "./viewer.ts";

type Key = Extract<Input, { type: "key" }>;

/** Keys that answer a question from the viewer that was opened on it. */
const ANSWERS: ReadonlySet<string | undefined> = new Set(["yes", "no", "always", "edit"]);

export class Viewing {
  readonly #options: { stage: Stage; ink: Inks; keys: KeyMap; view(): TranscriptView | undefined };
  /** The question that the viewer was opened on. */
  #question: Panel | undefined;
  /** A question that came while something else is looked at. */
  #waiting: Panel | undefined;

  constructor(
    options: { stage: Stage; ink: Inks; keys: KeyMap; view(): TranscriptView | undefined },
  ) {
    this.#options = options;
  }

  /** Everything open, at the newest item; false when there is nothing. */
  openTranscript(): boolean {
    const source = this.#transcript();
    if (source.count === 0) return false;
    this.#open(source, source.count - 1);
    return true;
  }

  openText(text: string): void {
    this.#open({ count: 1, open: () => text.split("\n"), wrap: wrapColumns }, 0);
  }

  /** The question below the transcript, so that both can be read. */
  openQuestion(panel: Panel): void {
    const { count, open } = this.#transcript();
    this.#question = panel;
    this.#open({
      count: count + 1,
      open: (index) => index === count ? panel.whole() : open(index),
    }, count);
  }

  /** Another question is up, or none. One that was answered elsewhere closes its viewer. */
  questionChanged(current: Panel | undefined): void {
    this.#waiting = current;
    if (this.#question !== undefined && this.#question !== current) this.#close();
  }

  /** Takes a key when the viewer is open. `answer` is called when it answers the question that is looked at. */
  press(key: Key, answer: (panel: Panel) => void): boolean {
    const { stage, keys } = this.#options;
    const { viewer } = stage;
    if (viewer === undefined) return false;
    const characters = [...key.text];
    if (characters.length > 1) {
      // A word is no answer to the question that is looked at.
      if (this.#question !== undefined) return true;
      for (const text of characters) this.press({ type: "key", name: text, text }, answer);
      return true;
    }
    const question = this.#question;
    if (question !== undefined && ANSWERS.has(keys.action("choice", key.name))) {
      this.#close();
      answer(question);
      return true;
    }
    const action = keys.action("viewer", key.name);
    if (viewer.press({ action, name: key.name, text: key.text }) === "close") this.#close();
    return true;
  }

  #open(source: ViewerSource, at: number): void {
    const { stage, ink } = this.#options;
    stage.openViewer(new Viewer({ source, at, ink, note: () => this.#note() }));
  }

  #close(): void {
    this.#question = undefined;
    this.#options.stage.closeViewer();
  }

  #note(): string {
    if (this.#question !== undefined) {
      const { answers } = this.#question;
      return answers === undefined ? "◆ a question" : `◆ ${answers} answer`;
    }
    return this.#waiting === undefined ? "" : "◆ a question waits";
  }

  #transcript(): ViewerSource {
    const view = this.#options.view();
    const count = view?.items?.();
    if (view === undefined) return { count: 0, open: () => undefined };
    if (count !== undefined) return { count, open: (index) => view.open(index) };
    const last = view.open("last");
    return { count: last === undefined ? 0 : 1, open: () => last };
  }
}
