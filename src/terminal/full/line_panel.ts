/** One line that the program asks for before or besides the conversation; a secret one is not shown. */
import { visible } from "@/lib/visible.ts";
import { wrapText } from "@/lib/wrap.ts";
import { Editor } from "./editor.ts";
import type { Inks } from "./ink.ts";
import type { Field, Panel } from "./panel.ts";

export class LinePanel implements Panel {
  readonly field: Field;
  readonly #options: { text: string; ink: Inks; settle(line: string | undefined): void };

  constructor(
    options: {
      text: string;
      ink: Inks;
      isSecret?: boolean;
      settle(line: string | undefined): void;
    },
  ) {
    this.#options = options;
    this.field = { editor: new Editor(), prompt: "", isSecret: options.isSecret ?? false };
  }

  rows(columns: number, rowsMax: number): readonly string[] {
    const { text, ink } = this.#options;
    return wrapText(`${ink.ask("◆")} ${ink.bold(visible(asked(text)))}`, columns - 1).slice(
      -rowsMax,
    );
  }

  press(): boolean {
    return false;
  }

  submit(): void {
    this.#options.settle(this.field.editor.text);
  }

  back(): void {
    this.cancel();
  }

  cancel(): void {
    this.#options.settle(undefined);
  }

  whole(): readonly string[] {
    return visible(this.#options.text).split("\n");
  }
}

/** The plain screen says in words what the mark says here. */
function asked(text: string): string {
  return text.trim().replace(/^question:\s*/, "");
}
