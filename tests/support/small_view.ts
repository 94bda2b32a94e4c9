/** A small transcript for tests of the screen: enough of the real one's behaviour to draw around. */
import type { DurableEvent, Event } from "@/protocol/event.ts";
import { visible } from "@/lib/visible.ts";
import { cutToWidth } from "@/lib/width.ts";
import { wrapText } from "@/lib/wrap.ts";
import type { TranscriptView } from "@/terminal/full/transcript_face.ts";

export class SmallView implements TranscriptView {
  #finished = "";
  /** The reply that arrives, from its last blank line on. */
  #open = "";
  #running: string | undefined;
  readonly #items: string[][] = [];

  readonly sink = (event: Event): void => {
    switch (event.type) {
      case "message":
        if (event.message.role === "user" && event.message.origin === "person") {
          const text = event.message.content.map((part) => part.type === "text" ? part.text : "")
            .join("");
          this.#finish(`❯ ${visible(text)}`);
        }
        if (event.message.role === "assistant") this.#endReply();
        break;
      case "delta": {
        if (event.channel === "thinking") break;
        this.#open += visible(event.text);
        const end = this.#open.lastIndexOf("\n\n");
        if (end === -1) break;
        this.#finish(this.#open.slice(0, end));
        this.#open = this.#open.slice(end + 2);
        break;
      }
      case "tool_start":
        this.#running = visible(event.summary, { oneLine: true });
        break;
      case "tool_end":
        this.#running = undefined;
        this.#finish(`▸ ✓ ${visible(event.summary, { oneLine: true })}`);
        break;
      case "notice":
        this.#finish(`    · ${visible(event.text)}`);
        break;
      case "decision":
        if (event.decision.verdict === "deny") {
          this.#finish(`✗ refused: ${visible(event.decision.reason)}`);
        }
        break;
      case "turn_end":
        this.#endReply();
        if (event.stop === "abort") this.#finish("    · interrupted");
        break;
      default:
        break;
    }
  };

  takeFinished(columns: number): string {
    const text = this.#finished;
    this.#finished = "";
    return text.split("\n").flatMap((line) => wrapText(line, columns - 1)).join("\n");
  }

  tail(columns: number, rowsMax: number): readonly string[] {
    const open = this.#open === ""
      ? []
      : this.#open.split("\n").flatMap((line) => wrapText(line, columns - 1));
    const running = this.#running === undefined
      ? []
      : [cutToWidth(`▸ ${this.#running}`, columns - 1)];
    return [...open, ...running].slice(-rowsMax);
  }

  isAnimated(): boolean {
    return this.#running !== undefined;
  }

  replay(events: Iterable<DurableEvent>, last: number): void {
    for (const event of events) this.sink(event);
    const hidden = Math.max(0, this.#items.length - last);
    const shown = this.#items.slice(-last).map((lines) => `${lines.join("\n")}\n`).join("");
    this.#finished = (hidden > 0 ? `${hidden} earlier items\n` : "") + shown;
  }

  open(item: "last" | number): readonly string[] | undefined {
    return item === "last" ? this.#items.at(-1) : this.#items[item];
  }

  items(): number {
    return this.#items.length;
  }

  again(last: number): string {
    return this.#items.slice(-last).map((lines) => `${lines.join("\n")}\n`).join("");
  }

  #endReply(): void {
    if (this.#open.trim() !== "") this.#finish(this.#open);
    this.#open = "";
  }

  #finish(text: string): void {
    this.#items.push(text.split("\n"));
    this.#finished += `${text}\n`;
  }
}
