/** A call as a card: one sentence when it is closed, with what it printed or changed; live while it runs. */
import { cutToWidth } from "@/lib/width.ts";
import { wrapText } from "@/lib/wrap.ts";
import { clipEnd } from "@/lib/clip.ts";
import { changedLines, changeOf, countedChange } from "./diff_card.ts";
import { errorLines } from "./exchange.ts";
import { GUTTER, gutterLines } from "./gutter.ts";
import type { Call } from "./item.ts";
import { printedLines } from "./live_output.ts";
import { spinner } from "../spinner.ts";
import { MARK, type Registers } from "./registers.ts";
import { prefixed, shownLine } from "./shown.ts";

export type CardOptions = { columns: number; look: Registers };

const CAUSE_CHARS_MAX = 400;
/** Printed lines of a running call, while its card is closed. */
const LIVE_LINES = 5;
const LIVE_SAYS = 3;

/** The lines of a call that is over. */
export function closedCard(call: Call, options: CardOptions): string[] {
  const { look } = options;
  const isOk = call.result?.status === "ok";
  const printed = printedLines(call.shown ?? "");
  const change = changeOf(call);
  const sentence = shownLine(call.summary);
  if (!isOk && printed.length === 0 && hasCause(call)) {
    return errorLines(`${sentence}: ${cause(call)}`, options);
  }
  const counted = change === undefined ? "" : ` ${countedChange(change)}`;
  const time = call.ms === undefined || call.ms === 0 ? "" : look.dim(` · ${duration(call.ms)}`);
  const rows = wrapText(`${sentence}${counted}${time}`, options.columns - 1 - 4);
  const body = change !== undefined && printed.length === 0 ? changedLines(change, look) : printed;
  return [
    ...prefixed(rows, `${head(MARK.closed, call, look)} `, "    "),
    ...gutterLines(body, { ...options, keep: isOk ? "start" : "end" }),
  ];
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
  const seconds = Math.floor((call.ms ?? ms) / 1000);
  const time = seconds === 0 ? "" : look.dim(` · ${seconds} s`);
  const opening = isOpen ? MARK.open : MARK.closed;
  const mark = hasEnded ? head(opening, call, look) : look.tool(`${opening} ${spinner(ms)}`);
  const sentence = cutToWidth(shownLine(call.summary), columns - 16);
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

/** How long something took. */
export function duration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
}

function hasCause({ result }: Call): boolean {
  return result !== undefined && (result.status === "failed" || result.status === "denied");
}

/** Why it failed, in one line; where there is more to read, a sign of it. */
function cause({ result, decision }: Call): string {
  const reason = decision?.decision;
  const text = result?.status === "denied" && reason?.verdict === "deny"
    ? reason.reason
    : result?.text ?? "";
  const [first = "", ...more] = text.trim().split("\n");
  const hasMore = more.length > 0 || first.length > CAUSE_CHARS_MAX;
  return `${clipEnd(shownLine(first), CAUSE_CHARS_MAX)}${hasMore ? " (ctrl+o)" : ""}`;
}
