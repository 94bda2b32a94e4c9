/** What stands above the input and takes the keys while it does: a question, a choice. It leaves nothing behind. */
import type { Editor } from "./editor.ts";
import type { Action } from "./key_map.ts";

/** A key as a panel sees it: what the table says of it, and what it writes. */
export type PanelKey = { action: Action | undefined; name: string; text: string };

/** A text that is typed in the place of the input. */
export type Field = { editor: Editor; prompt: string; isSecret?: boolean };

/** One at a time has the keys. */
export interface Panel {
  /** Its rows, at most `rowsMax`, each shorter than `columns`. */
  rows(columns: number, rowsMax: number): readonly string[];
  /** Where text is typed; undefined while a key is an answer by itself. */
  readonly field: Field | undefined;
  /**
   * Whether it is answered beside a text that the person is at: several characters at once are a word, or what an input
   * method wrote, and no answer; what it does not take is typed into that text.
   */
  readonly isBesideDraft?: boolean;
  /** The keys that answer it from the viewer, with everything about it open. */
  readonly answers?: string;
  /** A key that the field does not take; whether it means anything here. */
  press(key: PanelKey): boolean;
  /** The text of the field is done. */
  submit(): void;
  /** One step back; at the first one it is a no. */
  back(): void;
  /** The answer that stands when nobody answers: no. */
  cancel(): void;
  /** Everything there is to know about it, for the viewer. */
  whole(): readonly string[];
  /** The person typed in the field. */
  typed?(): void;
}
