/** The question before a call: what, why, the whole command or diff, what each "always" covers. One key answers it. */
import type { Approval, GrantScope, Reach } from "@/protocol/policy.ts";
import { cutToWidth, textWidth } from "@/lib/width.ts";
import { wrapText } from "@/lib/wrap.ts";
import { ChoiceList } from "./choice_list.ts";
import { Editor } from "./editor.ts";
import type { Inks } from "./ink.ts";
import type { Field, Panel, PanelKey } from "./panel.ts";
import type { BodyLine, QuestionText } from "./question_text.ts";

/** How long a no waits for its reason to be begun. */
export const REASON_MS = 2_000;

const SCOPES: readonly { scope: GrantScope; label: string }[] = [
  { scope: "project", label: "in this project" },
  { scope: "run", label: "in this run" },
  { scope: "everywhere", label: "everywhere" },
];

/** With less than this nothing is moved in to stand under something else. */
const WIDE_COLUMNS = 60;

/** What the person was told when there is nothing to remember. */
const NOT_ALWAYS = '"always" is not offered here: the same question would come again';

export type ApprovalOptions = {
  text: QuestionText;
  reaches: readonly Reach[];
  ink: Inks;
  settle(approval: Approval): void;
};

type State =
  | { at: "question" }
  | { at: "reason"; editor: Editor; timer: ReturnType<typeof setTimeout> | undefined }
  | { at: "edit"; editor: Editor; original: string }
  | { at: "reach"; list: ChoiceList; scope: number };

/** One question; settles once. */
export class ApprovalPanel implements Panel {
  readonly isBesideDraft = true;
  readonly #options: ApprovalOptions;
  #state: State = { at: "question" };
  #top = 0;
  /** Whether the person has scrolled: until then the first change is in sight. */
  #isScrolled = false;
  #page = 1;
  #hint = "";
  #isSettled = false;

  constructor(options: ApprovalOptions) {
    this.#options = options;
  }

  get field(): Field | undefined {
    switch (this.#state.at) {
      case "reason":
        return { editor: this.#state.editor, prompt: "no, because " };
      case "edit":
        return { editor: this.#state.editor, prompt: "instead " };
      default:
        return undefined;
    }
  }

  get answers(): string {
    const { reaches, text } = this.#options;
    const always = reaches.length === 0 ? "" : " a";
    return `y n${always}${text.editable === undefined ? "" : " e"}`;
  }

  rows(columns: number, rowsMax: number): readonly string[] {
    const { ink } = this.#options;
    const foot = this.#foot(columns);
    if (this.#state.at === "reach") {
      const dial = `  ● ${ink.chosen(SCOPES[this.#state.scope]?.label ?? "")}   ${
        ink.dim("←/→ to change")
      }`;
      const list = this.#state.list.rows(columns, Math.max(1, rowsMax - 3));
      return [`${ink.ask("◆")} ${ink.bold("always: how far?")}`, ...list, dial, ...foot];
    }
    const { title, body } = this.#head(columns);
    const about = this.#about(columns);
    // What is asked about comes first; of the rest, the reaches give way before the reason.
    const room = rowsMax - title.length - foot.length;
    const kept = about.slice(
      0,
      Math.max(0, Math.min(about.length, room - Math.min(3, body.length))),
    );
    const rows = [...title, ...this.#window(body, room - kept.length, columns), ...kept, ...foot];
    // Of a window that is lower than all this, what is asked about and how it is answered.
    return rows.length <= rowsMax
      ? rows
      : [...rows.slice(0, Math.max(1, rowsMax - foot.length)), ...foot].slice(0, rowsMax);
  }

  press(key: PanelKey): boolean {
    if (this.#state.at === "reach") return this.#pressReach(this.#state, key);
    switch (key.action) {
      case "yes":
        this.#settle({ answer: "yes" });
        return true;
      case "no":
        this.#askReason();
        return true;
      case "always":
        this.#askReach();
        return true;
      case "edit":
        return this.#askEdit();
      case "up":
        return this.#scroll(-1);
      case "down":
        return this.#scroll(1);
      case "pageUp":
        return this.#scroll(-this.#page);
      case "pageDown":
        return this.#scroll(this.#page);
      case "first":
        return this.#scroll(-Infinity);
      case "last":
        return this.#scroll(Infinity);
      default:
        return false; // Anything else is no answer.
    }
  }

  submit(): void {
    const state = this.#state;
    if (state.at === "reason") return this.#refuse(state.editor.text);
    if (state.at !== "edit") return;
    const { editor, original } = state;
    const text = editor.text.trim();
    if (text === "" || text === original.trim()) return this.back();
    this.#settle({ answer: "yes", instead: editor.text });
  }

  back(): void {
    if (this.#state.at === "edit" || this.#state.at === "reach") {
      this.#state = { at: "question" };
      return;
    }
    this.cancel();
  }

  cancel(): void {
    this.#settle({ answer: "no" });
  }

  typed(): void {
    if (this.#state.at === "reason") clearTimeout(this.#state.timer);
  }

  whole(): readonly string[] {
    const { tool, wants, body, why, isOutside, reaches } = this.#options.text;
    const { ink } = this.#options;
    return [
      `${ink.ask("◆")} ${ink.bold(tool)} ${wants}`,
      ...(isOutside ? [ink.error("outside the workspace")] : []),
      "",
      ...body.map((line) => this.#painted(line, line.text)),
      "",
      `why you are asked: ${why}`,
      ...reaches.map((reach, at) => `always ${at + 1}: ${reach}`),
      ink.dim(this.#keys()),
    ];
  }

  #askReason(): void {
    const editor = new Editor();
    const timer = setTimeout(() => this.#refuse(""), REASON_MS);
    this.#state = { at: "reason", editor, timer };
  }

  #askReach(): void {
    const { reaches, ink, text } = this.#options;
    if (reaches.length === 0) {
      this.#hint = NOT_ALWAYS;
      return;
    }
    const list = new ChoiceList(text.reaches.map((label) => ({ label })), { ink });
    this.#state = { at: "reach", list, scope: 0 };
  }

  #askEdit(): boolean {
    const original = this.#options.text.editable;
    if (original === undefined) return false;
    const editor = new Editor();
    editor.set(original);
    this.#state = { at: "edit", editor, original };
    return true;
  }

  #pressReach(state: Extract<State, { at: "reach" }>, key: PanelKey): boolean {
    const count = SCOPES.length;
    if (key.action === "dialLeft") state.scope = (state.scope + count - 1) % count;
    else if (key.action === "dialRight") state.scope = (state.scope + 1) % count;
    else {
      const step = state.list.press(key);
      if (step === "taken" || key.action === "send" || key.action === "always") {
        const reach = this.#options.reaches[state.list.chosen];
        const scope = SCOPES[state.scope]?.scope ?? "project";
        if (reach !== undefined) this.#settle({ answer: "always", reach, scope });
      } else if (step === "other") {
        // Whoever goes on with a word meant no always: none of its digits takes a reach.
        if (key.text !== "") this.#state = { at: "question" };
        return false;
      }
    }
    return true;
  }

  #refuse(reason: string): void {
    const text = reason.trim();
    this.#settle(text === "" ? { answer: "no" } : { answer: "no", reason: text });
  }

  #settle(approval: Approval): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    if (this.#state.at === "reason") clearTimeout(this.#state.timer);
    this.#options.settle(approval);
  }

  #scroll(rows: number): true {
    this.#isScrolled = true;
    this.#top = Math.max(0, this.#top + (rows === -Infinity ? -this.#top : rows));
    return true;
  }

  /** The first row, and the body below it: a command that fits stands on the first row itself. */
  #head(columns: number): { title: string[]; body: readonly BodyLine[] } {
    const { ink, text } = this.#options;
    const { tool, wants, body, isOutside } = text;
    const outside = isOutside ? ` ${ink.error("(outside the workspace)")}` : "";
    const start = `${ink.ask("◆")} ${ink.bold(tool)} ${wants}${outside}`;
    const only = body.length === 1 && text.editable !== undefined ? body[0]?.text : undefined;
    if (only !== undefined && textWidth(start) + 2 + textWidth(only) < columns) {
      return { title: [`${start}: ${only}`], body: [] };
    }
    const title = wrapText(
      body.length > 0 && only !== undefined ? `${start}:` : start,
      columns - 1,
    );
    return { title, body };
  }

  /** The rows of the body that are in sight, and how many are not. */
  #window(body: readonly BodyLine[], room: number, columns: number): readonly string[] {
    if (body.length === 0 || room <= 0) return [];
    const lines = body.map((line) =>
      wrapText(line.text, columns - 5).map((row) => `    ${this.#painted(line, row)}`)
    );
    const rows = lines.flat();
    if (rows.length <= room) {
      this.#top = 0;
      return rows;
    }
    const shown = Math.max(1, room - 1);
    this.#page = shown;
    if (!this.#isScrolled) this.#top = firstChange(body, lines, shown);
    this.#top = Math.min(this.#top, rows.length - shown);
    const below = rows.length - shown - this.#top;
    const said = [
      ...(this.#top > 0 ? [`${this.#top} more above`] : []),
      ...(below > 0 ? [`${below} more below`] : []),
    ];
    const more = this.#options.ink.dim(
      cutToWidth(`    … ${said.join(", ")} (↑ ↓, Space)`, columns - 1),
    );
    return room <= 1 ? [more] : [...rows.slice(this.#top, this.#top + shown), more];
  }

  #about(columns: number): readonly string[] {
    const { ink, text } = this.#options;
    const rows = (label: string, said: string) =>
      wrapText(`${label}${said}`, columns - 5).map((row) => ink.dim(`    ${row}`));
    const reaches = text.reaches.length === 1
      ? [...text.reaches]
      : text.reaches.map((reach, at) => `${at + 1} ${reach}`);
    const label = '"always" covers: ';
    const under = " ".repeat(label.length);
    const inOneRow = reaches.join(" · ");
    const isOneRow = textWidth(label) + textWidth(inOneRow) <= columns - 5;
    const [first, ...more] = isOneRow ? [inOneRow] : reaches;
    return [
      ...rows("why: ", text.why),
      ...(first === undefined || first === "" ? [] : rows(label, first)),
      ...more.flatMap((reach) => rows(columns < WIDE_COLUMNS ? "" : under, reach)),
    ];
  }

  #foot(columns: number): readonly string[] {
    const { ink } = this.#options;
    const hint = this.#hint === "" ? [] : [ink.error(cutToWidth(`    ${this.#hint}`, columns - 1))];
    const keys = this.#keys();
    // Of a key in a narrow window its name is left, and it is the first thing of its words.
    const isNarrow = this.#state.at === "question" && textWidth(keys) > columns - 6;
    const shown = isNarrow
      ? keys.split(" · ").map((key) => key.split(" ", 1)[0]).join(" · ")
      : keys;
    if (this.#state.at !== "question") {
      return [...hint, ink.dim(cutToWidth(`    ${shown}`, columns - 1))];
    }
    // What answers stands out of what is said about it.
    const keyed = shown.split(" · ").map((text) => {
      const [key = "", ...words] = text.split(" ");
      return [ink.bold(key), ...words.map((word) => ink.dim(word))].join(" ");
    }).join(ink.dim(" · "));
    return [...hint, cutToWidth(`    ${keyed}`, columns - 1)];
  }

  #keys(): string {
    const { text, reaches } = this.#options;
    switch (this.#state.at) {
      case "question":
        return [
          "y once",
          "n no, and say why",
          ...(reaches.length === 0 ? [] : ["a always"]),
          ...(text.editable === undefined ? [] : ["e edit it"]),
          "ctrl+o everything",
        ].join(" · ");
      case "reason":
        return "no: say why and Enter, or wait";
      case "edit":
        return "Enter runs it as it stands here · Esc back";
      case "reach":
        return "Enter or a number takes it · Esc back";
    }
  }

  #painted({ kind }: BodyLine, text: string): string {
    const { ink } = this.#options;
    switch (kind) {
      case "added":
        return ink.added(text);
      case "removed":
        return ink.removed(text);
      case "gap":
      case "note":
        return ink.dim(text);
      case "same":
        return text;
    }
  }
}

/** The row to begin at so that the first change is among those shown: what stays as it is gives way to it. */
function firstChange(
  body: readonly BodyLine[],
  lines: readonly (readonly string[])[],
  shown: number,
): number {
  const isChange = ({ kind }: BodyLine) => kind === "added" || kind === "removed";
  const first = body.findIndex(isChange);
  if (first < 0) return 0;
  const behind = body.findIndex((line, at) => at > first && !isChange(line));
  const rowsTo = (line: number) => lines.slice(0, line).reduce((sum, rows) => sum + rows.length, 0);
  return rowsTo(behind < 0 ? body.length : behind) <= shown ? 0 : rowsTo(first);
}
