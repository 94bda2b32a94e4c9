/** A call as a card: one sentence when it is closed, with what it printed or changed; live while it runs. */
import { cutToWidth } from "@/lib/width.ts";
import { wrapText } from "@/lib/wrap.ts";
import { duration, elapsed } from "@/lib/spoken_time.ts";
import { causeOf, spokenCall } from "@/terminal/call_text.ts";
import { changedLines, changeOf, countedChange } from "./diff_card.ts";
import { errorLines } from "./exchange.ts";
import { GUTTER, gutterLines } from "./gutter.ts";
import type { Call } from "./item.ts";
import { printedLines } from "./live_output.ts";
import { spinner } from "../spinner.ts";
import { MARK, type Registers } from "./registers.ts";
import { prefixed, shownLine } from "./shown.ts";

export type CardOptions = { columns: number; look: Registers };

const SEPARATOR = " · ";
/** Printed lines of a running call, while its card is closed. */
const LIVE_LINES = 5;
const LIVE_SAYS = 3;

/** The lines of a call that is over. */
export function closedCard(call: Call, options: CardOptions): string[] {
  const { look } = options;
  const isOk = call.result?.status === "ok";
  const printed = printedLines(call.shown ?? "");
  const change = changeOf(call);
  const cause = causeOf(call.result, call.decision?.decision, shownLine);
  if (printed.length === 0 && cause !== undefined) {
    const { name, sentence } = spokenCall(call, shownLine);
    const what = [name, sentence].filter((text) => text !== "").join(SEPARATOR);
    return errorLines(`${what}: ${cause.text}${cause.hasMore ? " (ctrl+o)" : ""}`, options);
  }
  const counted = change === undefined ? "" : ` ${countedChange(change)}`;
  const time = call.ms === undefined || call.ms === 0 ? "" : look.dim(` · ${duration(call.ms)}`);
  const rows = wrapText(`${cardText(call, look)}${counted}${time}`, options.columns - 1 - 4);
  const body = change !== undefined && printed.length === 0 ? changedLines(change, look) : printed;
  return [
    ...prefixed(rows, `${head(MARK.closed, call, look)} `, "    "),
    ...gutterLines(body, { ...options, keep: isOk ? "start" : "end" }),
  ];
}

/** Its tool and its sentence. */
export function cardText(call: Call, look: Registers): string {
  const { name, sentence } = spokenCall(call, shownLine);
  return [look.tool(name), sentence].filter((text) => text !== "").join(SEPARATOR);
}

/** The mark of a card and how it went. */
export function head(mark: string, { result }: Call, look: Registers): string {
  if (result === undefined) return look.tool(`${mark} ${MARK.more}`);
  return result.status === "ok"
    ? look.tool(`${mark} ${MARK.ok}`)
    : `${look.tool(mark)} ${look.error(MARK.failed)}`;
}

/** A call that runs: what it is, what was said, the end of what it printed. Each row is shorter than `columns`. */
export function liveCard(
  call: Call,
  options: CardOptions & { ms: number; isOpen: boolean; rowsMax: number },
): string[] {
  const { columns, look, ms, isOpen, rowsMax } = options;
  const hasEnded = call.ms !== undefined; // It waits for a call before it.
  const ranMs = call.ms ?? ms;
  const time = ranMs < 1000 ? "" : look.dim(` · ${elapsed(ranMs)}`);
  const opening = isOpen ? MARK.open : MARK.closed;
  const mark = hasEnded ? head(opening, call, look) : look.tool(`${opening} ${spinner(ms)}`);
  const sentence = cutToWidth(cardText(call, look), columns - 16);
  const says = call.says.slice(isOpen ? -rowsMax : -LIVE_SAYS)
    .map((line) => look.ink("event")(`    ${MARK.event} ${shownLine(line)}`));
  const room = Math.max(0, rowsMax - 1 - says.length);
  const printed = call.output?.last(isOpen ? room : Math.min(room, LIVE_LINES)) ?? [];
  const gutter = look.ink("result")(GUTTER);
  return [
    `${mark} ${sentence}${time}`,
    ...says,
    ...printed.map((line) => `${gutter}${line}`.trimEnd()),
  ].map((row) => cutToWidth(row, columns - 1));
}
