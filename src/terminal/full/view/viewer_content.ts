/** Items with everything open, for the viewer: what was asked for, who allowed it, what was printed, what came back. */
import { changeOf, countedChange, diffLines } from "./diff_card.ts";
import { duration } from "@/lib/spoken_time.ts";
import { cardText, head } from "./card.ts";
import { shownLine, shownLines } from "./shown.ts";
import { diffRows } from "../diff_rows.ts";
import { itemLines, type ItemOptions } from "./item_lines.ts";
import type { Call, Item } from "./item.ts";
import { printedLines } from "./live_output.ts";
import { MARK, type Registers } from "./registers.ts";

const ALL_LINES = Infinity;

/** The lines of an item; the viewer wraps them. Undefined while a part is being loaded. */
export function openLines(item: Item, options: ItemOptions): string[] | undefined {
  switch (item.kind) {
    case "card":
      return openCard(item.call, options.look);
    case "printed":
      return itemLines({ ...item, isClipped: false }, options);
    case "reply": {
      const lines = itemLines(item, { ...options, showsThinking: true });
      if (lines === undefined || item.isVoid !== true) return lines;
      return [...lines, options.look.ink("event")(`    ${MARK.event} this was taken back`)];
    }
    case "you":
      return itemLines(item, { ...options, saidLinesMax: ALL_LINES });
    case "event":
      return itemLines(item, { ...options, eventLinesMax: ALL_LINES });
    case "error":
    case "source":
      return itemLines(item, options);
    default:
      return item satisfies never;
  }
}

function openCard(call: Call, look: Registers): string[] {
  const change = changeOf(call);
  const counted = change === undefined ? "" : ` ${countedChange(change)}`;
  const time = call.ms === undefined || call.ms === 0 ? "" : look.dim(` · ${duration(call.ms)}`);
  const bar = look.dim(`${MARK.bar} `);
  const body = [
    ...asked(call, look),
    ...section("said", call.says.map(shownLine), look),
    ...(change === undefined ? [] : section("changed", diffLines(change, look), look)),
    ...section("printed", printed(call), look),
    ...section(resultTitle(call), resultLines(call, look), look),
  ];
  const title = `${head(MARK.open, call, look)} ${cardText(call, look)}${counted}${time}`;
  return [title, ...body.map((line) => `${bar}${line}`.trimEnd())];
}

/** What it was given, and who decided. */
function asked({ input, decision }: Call, look: Registers): string[] {
  const by = decision === undefined ? "" : ` (${decision.decision.by})`;
  const verdict = decision?.decision.verdict === "deny" ? "denied" : "allowed";
  return [
    ...fieldsOf(input),
    ...(decision === undefined
      ? []
      : [look.dim(`${verdict}: ${shownLine(decision.decision.reason)}${by}`)]),
  ];
}

function fieldsOf(input: unknown): string[] {
  if (input === undefined) return [];
  if (typeof input !== "object" || input === null || Array.isArray(input)) return value(input);
  return Object.entries(input).flatMap(([key, one]) => {
    const [first = "", ...more] = value(one);
    const name = shownLine(key);
    if (more.length === 0) return [`${name}: ${first}`];
    return [`${name}:`, ...[first, ...more].map((line) => `  ${line}`)];
  });
}

function value(of: unknown): string[] {
  const text = typeof of === "string" ? of : JSON.stringify(of, undefined, 2) ?? "";
  return shownLines(text);
}

function section(title: string, lines: readonly string[], look: Registers): string[] {
  return lines.length === 0 ? [] : [look.dim(`── ${title}`), ...lines];
}

/** What it printed, unless the result says the same. */
function printed({ output, shown, result }: Call): string[] {
  const text = output !== undefined && !output.isEmpty ? output.text : shown ?? "";
  const lines = printedLines(text);
  const same = shownLines(result?.text ?? "").join("\n");
  return lines.length > 0 && same.includes(lines.join("\n")) ? [] : lines;
}

function resultTitle({ result }: Call): string {
  return result === undefined || result.status === "ok"
    ? "result"
    : `result: ${result.status.replace("_", " ")}`;
}

function resultLines({ result }: Call, look: Registers): string[] {
  if (result === undefined) return [];
  const diff = diffRows(result.text);
  const images = (result.parts ?? []).flatMap((part) =>
    part.type === "image"
      ? [`(${shownLine(part.mime)}, ${part.data.length} bytes)`]
      : shownLines(part.text)
  );
  return [...(diff === undefined ? shownLines(result.text) : diffLines(diff, look)), ...images];
}
