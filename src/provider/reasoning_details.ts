/** OpenRouter's `reasoning_details`: they come in pieces and go back whole, in order and unchanged. */

type Detail = Record<string, unknown>;

/** Members that hold text in pieces. */
const PIECES = ["text", "summary"];

export class ReasoningDetails {
  readonly all: Detail[] = [];

  /** Take the details of one chunk; what of them can be shown. */
  add(details: readonly Detail[]): string {
    let shown = "";
    for (const detail of details) {
      shown += textOf(detail);
      const last = this.all.at(-1);
      if (last !== undefined && continues(last, detail)) append(last, detail);
      else this.all.push({ ...detail });
    }
    return shown;
  }
}

/** The same kind of text at the same place; encrypted ones stand apart. */
function continues(last: Detail, next: Detail): boolean {
  return last.type === next.type && last.type !== "reasoning.encrypted" &&
    last.index === next.index &&
    PIECES.some((name) => typeof last[name] === "string" || last[name] === undefined);
}

function append(last: Detail, next: Detail): void {
  for (const [name, value] of Object.entries(next)) {
    const before = last[name];
    if (PIECES.includes(name) && typeof before === "string" && typeof value === "string") {
      last[name] = before + value;
    } // The signature may come last.
    else if (value !== null && value !== undefined) last[name] = value;
  }
}

function textOf(detail: Detail): string {
  return PIECES.map((name) => detail[name]).filter((value) => typeof value === "string").join("");
}
