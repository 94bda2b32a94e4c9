/** A reply while it arrives: what the model thinks and what it says, one stream after the other. */
import type { MarkdownStream } from "./markdown_stream.ts";
import type { ReplyItem } from "./item.ts";
import type { Parts } from "./parts.ts";

type Channel = "text" | "thinking";
type Stream = Pick<MarkdownStream, "push" | "end" | "take" | "tail" | "isInside" | "isDone">;
/** A stream that could not be begun yet keeps what came. */
type Segment = { channel: Channel; stream: Stream | undefined; waiting: string; isOver: boolean };

/** Reads one reply. What was given out is not looked at again. */
export class LiveReply {
  readonly item: ReplyItem & { turn: number };
  readonly #parts: Parts;
  readonly #segments: Segment[] = [];
  #isOver = false;
  #version = 0;
  #cached: { version: number; width: number; rows: readonly string[] } | undefined;

  constructor(item: ReplyItem & { turn: number }, parts: Parts) {
    this.item = item;
    this.#parts = parts;
  }

  push(channel: Channel, text: string): void {
    this.#version += 1;
    if (channel === "text") this.item.text += text;
    else this.item.thinking += text;
    let segment = this.#segments.at(-1);
    if (segment === undefined || segment.channel !== channel) {
      if (segment !== undefined) close(segment);
      segment = { channel, stream: undefined, waiting: "", isOver: false };
      this.#segments.push(segment);
    }
    if (segment.stream === undefined) segment.waiting += text;
    else segment.stream.push(text);
  }

  /** Nothing more comes. */
  end(): void {
    this.#version += 1;
    const last = this.#segments.at(-1);
    if (last !== undefined) close(last);
    this.#isOver = true;
  }

  /** What is not given out yet is void. */
  discard(): void {
    this.item.isVoid = true;
    this.#segments.splice(0);
    this.#isOver = true;
    this.#version += 1;
  }

  /** Whether nothing was said. */
  get isBlank(): boolean {
    return this.item.text.trim() === "" && this.item.thinking.trim() === "";
  }

  /** Whether everything was given out. */
  get isDone(): boolean {
    return this.#isOver && this.#segments.length === 0;
  }

  /** Whether nothing must come between what was given out and what follows. */
  get isInside(): boolean {
    return this.#segments[0]?.stream?.isInside ?? false;
  }

  /** Lines that became final since the last call. */
  take(width: number): string[] {
    const lines: string[] = [];
    for (;;) {
      const segment = this.#segments[0];
      const stream = segment === undefined ? undefined : this.#streamOf(segment);
      if (segment === undefined || stream === undefined) return lines;
      lines.push(...stream.take(width));
      this.#version += 1;
      if (!stream.isDone) return lines;
      this.#segments.shift();
    }
  }

  /** The open block in rows that fit. */
  tail(width: number): readonly string[] {
    if (this.#cached?.version === this.#version && this.#cached.width === width) {
      return this.#cached.rows;
    }
    const rows = this.#segments.flatMap((segment) => this.#streamOf(segment)?.tail(width) ?? []);
    this.#cached = { version: this.#version, width, rows };
    return rows;
  }

  #streamOf(segment: Segment): Stream | undefined {
    if (segment.stream !== undefined) return segment.stream;
    const stream = segment.channel === "text" ? this.#parts.reply() : this.#parts.thinking();
    if (stream === undefined) return undefined;
    segment.stream = stream;
    stream.push(segment.waiting);
    if (segment.isOver) stream.end();
    segment.waiting = "";
    return stream;
  }
}

function close(segment: Segment): void {
  segment.isOver = true;
  segment.stream?.end();
}
