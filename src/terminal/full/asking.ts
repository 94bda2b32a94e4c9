/** Everything that the person is asked: about a call, about options, for a choice, for a line. */
import type { Approval, Approver, Asker } from "@/protocol/policy.ts";
import { ApprovalPanel } from "./approval_full.ts";
import type { Inks } from "./ink.ts";
import { LinePanel } from "./line_panel.ts";
import type { Panels } from "./panels.ts";
import { type Picked, Picker, type Picking } from "./picker.ts";
import { QuestionPanel } from "./question_panel.ts";
import { questionText } from "./question_text.ts";

export type AskingOptions = {
  panels: Panels;
  ink: Inks;
  /** A real path as a person would write it. */
  shorten(path: string): string;
  /** Text that belongs to a question and is longer than one. */
  print(text: string): void;
};

export class Asking {
  readonly #options: AskingOptions;

  constructor(options: AskingOptions) {
    this.#options = options;
  }

  readonly approver: Approver = async (call, reason, reaches, signal) => {
    signal.throwIfAborted();
    const preview = await call.preview?.();
    signal.throwIfAborted();
    const { panels, ink, shorten } = this.#options;
    const text = questionText({ call, reason, reaches, preview, shorten });
    return await panels.put<Approval>(
      (settle) => new ApprovalPanel({ text, reaches, ink, settle }),
      signal,
    );
  };

  readonly asker: Asker = async (questions, signal) => {
    signal.throwIfAborted();
    const { panels, ink } = this.#options;
    const answers: string[] = [];
    for (const question of questions) {
      const answer = await panels.put<string | undefined>(
        (settle) => new QuestionPanel({ question, ink, settle }),
        signal,
      );
      if (answer === undefined) return undefined;
      answers.push(answer);
    }
    return answers;
  };

  /** A second pick takes the place of the first, and of an open question, which is answered no. */
  pick(pick: Picking): Promise<Picked> {
    const { panels, ink } = this.#options;
    return panels.putFirst<Picked>((settle) => new Picker(pick, { ink, settle }));
  }

  /** The last line of the text is the question; what stands before it is printed. Undefined when it was given up. */
  line(text: string, { isSecret }: { isSecret: boolean }): Promise<string | undefined> {
    const { panels, ink, print } = this.#options;
    const lines = text.trim().split("\n");
    const question = lines.pop() ?? "";
    if (lines.length > 0) print(lines.join("\n"));
    return panels.put<string | undefined>((settle) =>
      new LinePanel({ text: question, ink, isSecret, settle })
    );
  }
}
