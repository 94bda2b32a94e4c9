/** A question with options, and room for one's own words. */
import type { Question } from "@/protocol/policy.ts";
import { visible } from "@/lib/visible.ts";
import { wrapText } from "@/lib/wrap.ts";
import { ChoiceList } from "./choice_list.ts";
import { Editor } from "./editor.ts";
import type { Inks } from "./ink.ts";
import type { Field, Panel, PanelKey } from "./panel.ts";

const OWN_WORDS = "your own words …";

export type QuestionOptions = {
  question: Question;
  ink: Inks;
  /** Undefined when the person does not answer. */
  settle(answer: string | undefined): void;
};

export class QuestionPanel implements Panel {
  readonly #options: QuestionOptions;
  readonly #list: ChoiceList;
  readonly #takesWords: boolean;
  #editor: Editor | undefined;
  #isSettled = false;

  constructor(options: QuestionOptions) {
    this.#options = options;
    const { question, ink } = options;
    this.#takesWords = question.freeText !== false;
    const labels = [...question.options, ...(this.#takesWords ? [OWN_WORDS] : [])];
    this.#list = new ChoiceList(labels.map((label) => ({ label })), { ink });
    // A question without options is answered in words.
    if (question.options.length === 0) this.#editor = new Editor();
  }

  get field(): Field | undefined {
    return this.#editor === undefined ? undefined : { editor: this.#editor, prompt: "answer " };
  }

  rows(columns: number, rowsMax: number): readonly string[] {
    const { question, ink } = this.#options;
    const title = wrapText(`${ink.ask("◆")} ${ink.bold(visible(question.text))}`, columns - 1);
    const keys = ink.dim(
      this.#editor === undefined
        ? "    Enter or a number takes it · Esc leaves it unanswered"
        : "    Enter answers · Esc back",
    );
    const kept = title.slice(0, Math.max(1, rowsMax - 2));
    if (question.options.length === 0) return [...kept, keys];
    return [...kept, ...this.#list.rows(columns, Math.max(1, rowsMax - kept.length - 1)), keys];
  }

  press(key: PanelKey): boolean {
    const step = this.#list.press(key);
    if (step === "taken" || key.action === "send") this.#take();
    else if (step === "other" && key.text !== "" && this.#takesWords) {
      // Whoever begins to type answers in words.
      this.#editor = new Editor();
      this.#editor.insert(key.text);
    } else return step === "moved";
    return true;
  }

  submit(): void {
    const words = this.#editor?.text.trim() ?? "";
    if (words !== "") this.#settle(words);
  }

  back(): void {
    if (this.#editor !== undefined && this.#options.question.options.length > 0) {
      this.#editor = undefined;
      return;
    }
    this.cancel();
  }

  cancel(): void {
    this.#settle(undefined);
  }

  whole(): readonly string[] {
    const { text, options } = this.#options.question;
    return [text, ...options.map((option, at) => `${at + 1}. ${option}`)].map((line) =>
      visible(line)
    );
  }

  #take(): void {
    const option = this.#options.question.options[this.#list.chosen];
    if (option === undefined) this.#editor = new Editor();
    else this.#settle(option);
  }

  #settle(answer: string | undefined): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#options.settle(answer);
  }
}
