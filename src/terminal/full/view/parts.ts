/** What replies are drawn with, loaded when the first one needs it. */
import type { lineHighlighter } from "./highlight.ts";
import { Lazy } from "./lazy.ts";
import type { MarkdownStream, StreamOptions } from "./markdown_stream.ts";
import { PlainStream } from "./plain_stream.ts";
import type { Registers } from "./registers.ts";

export type PartsOptions = {
  look: Registers;
  /** A part is there now, or never will be (why). */
  changed(problem?: string): void;
  /** How they are loaded; tests bring their own. */
  load?: Partial<Loaders>;
};

type Loaders = {
  markdown(): Promise<{ MarkdownStream: typeof MarkdownStream }>;
  highlight(): Promise<{ lineHighlighter: typeof lineHighlighter }>;
};

const LOADERS: Loaders = {
  markdown: () => import("./markdown_stream.ts"),
  highlight: () => import("./highlight.ts"),
};

export class Parts {
  readonly #look: Registers;
  readonly #markdown: Lazy<{ MarkdownStream: typeof MarkdownStream }>;
  readonly #highlight: Lazy<{ lineHighlighter: typeof lineHighlighter }>;

  constructor({ look, changed, load = {} }: PartsOptions) {
    const { markdown, highlight } = { ...LOADERS, ...load };
    this.#look = look;
    const settled = (what: string) => (problem: Error | undefined) =>
      changed(problem === undefined ? undefined : `${what} cannot be had: ${problem.message}`);
    this.#markdown = new Lazy(markdown, settled("Markdown"));
    this.#highlight = new Lazy(highlight, settled("Colours in code"));
  }

  /** Load all of them; resolves when nothing is left to wait for. */
  async preload(): Promise<void> {
    await Promise.all([this.#markdown.want(), this.#highlight.want()]);
  }

  /** A stream for what the model says; undefined while its part is being loaded. Without it, lines as they are. */
  reply(): MarkdownStream | PlainStream | undefined {
    if (!this.#markdown.isSettled) return undefined;
    const part = this.#markdown.value;
    return part === undefined
      ? new PlainStream({ ink: (text) => text, indent: "" })
      : new part.MarkdownStream(this.#options());
  }

  /** A stream for what the model thinks. */
  thinking(): PlainStream {
    return new PlainStream({ ink: this.#look.dim, indent: "  " });
  }

  #options(): StreamOptions {
    return {
      look: this.#look,
      painter: (language) => this.#highlight.value?.lineHighlighter(language, this.#look),
      canPaint: () => this.#highlight.isSettled,
    };
  }
}
