/** Items as they stand in the transcript: closed, and as wide as the window. */
import { closedCard } from "./card.ts";
import { errorLines, eventLines, printedText, rule, saidLines, sourceLines } from "./exchange.ts";
import { gutterLines } from "./gutter.ts";
import type { Item, ReplyItem } from "./item.ts";
import { printedLines } from "./live_output.ts";
import type { Parts } from "./parts.ts";
import type { Registers } from "./registers.ts";
import { LiveReply } from "./reply.ts";

export type ItemOptions = {
  columns: number;
  look: Registers;
  parts: Parts;
  showsThinking: boolean;
  today: Date;
  /** Whether nothing stands above it. */
  isFirst: boolean;
  /** Lines of what the person said, and of a notice, where not all of them are shown. */
  saidLinesMax?: number;
  eventLinesMax?: number;
};

/** Its lines; undefined while a part that it is drawn with is being loaded. */
export function itemLines(item: Item, options: ItemOptions): string[] | undefined {
  switch (item.kind) {
    case "you":
      return [
        ...(options.isFirst ? [] : [""]),
        rule(item, options),
        ...saidLines(item, options),
      ];
    case "reply":
      return replyLines(item, options);
    case "card":
      return closedCard(item.call, options);
    case "event":
      if (item.isTold === true && options.eventLinesMax === undefined) return [];
      return eventLines(item, options);
    case "error":
      return errorLines(item.text, options);
    case "printed":
      return item.isClipped
        ? gutterLines(printedLines(item.text), { ...options, keep: "start" })
        : printedText(item, options);
    case "source":
      return sourceLines(item.text);
    default:
      return item satisfies never;
  }
}

/** A whole reply, through the same stream that a live one goes through. */
export function replyLines(
  item: ReplyItem & { turn: number },
  { columns, parts, showsThinking }: Pick<ItemOptions, "columns" | "parts" | "showsThinking">,
): string[] | undefined {
  const reply = new LiveReply({ kind: "reply", turn: item.turn, text: "", thinking: "" }, parts);
  if (showsThinking && item.thinking !== "") reply.push("thinking", item.thinking);
  if (item.text !== "") reply.push("text", item.text);
  reply.end();
  const lines = reply.take(columns - 1);
  return reply.isDone ? lines : undefined;
}
