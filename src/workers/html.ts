/** HTML of pages that anybody may have written: read in a worker without permissions, which is ended when it takes long. */

/** What is asked of the worker. `url` is the page's address. */
export type HtmlRequest =
  | { type: "page"; html: string; url: string }
  | { type: "fragment"; html: string; url: string }
  | {
    type: "rows";
    html: string;
    url: string;
    row: string;
    cells: Readonly<Record<string, string>>;
  };

/** A page. `isArticle`: its text is the readable part, and more stands around it. */
export type HtmlPage = { title: string; text: string; isArticle: boolean };

/** The element that a selector found in a row: its text, and where it leads. */
export type HtmlCell = { text: string; href: string };

/** What the worker answers; `ready` once, when it has started. */
export type HtmlAnswer =
  | { type: "ready" }
  | { type: "page"; page: HtmlPage }
  | { type: "rows"; rows: readonly Readonly<Record<string, HtmlCell>>[] }
  | { type: "failed"; cause: string };

/** HTML that was not read. The message is the end of "… could not be read: ". */
export class HtmlError extends Error {
  override readonly name = "HtmlError";
}

export type HtmlLimits = { timeoutMs: number; startMs: number };

/** A start takes seconds where other programs want the processor too. */
const LIMITS: HtmlLimits = { timeoutMs: 10_000, startMs: 60_000 };

type Waiting = { resolve(answer: HtmlAnswer): void; reject(error: Error): void };

/** One worker, started with the first page; one that takes too long is replaced. Calls wait for each other. */
export class HtmlReader implements Disposable {
  readonly #limits: HtmlLimits;
  #worker: Worker | undefined;
  #waiting: Waiting | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(limits: HtmlLimits = LIMITS) {
    this.#limits = limits;
  }

  /** The readable text of a page. Throws HtmlError. */
  async page(html: string, url: string): Promise<HtmlPage> {
    return pageOf(await this.#ask({ type: "page", html, url }));
  }

  /** The text of a piece of HTML, all of it. Throws HtmlError. */
  async fragment(html: string, url: string): Promise<string> {
    return pageOf(await this.#ask({ type: "fragment", html, url })).text;
  }

  /** For each element that `row` finds, what `cells` find in it; a cell that finds nothing is absent. Throws HtmlError. */
  async rows(
    html: string,
    query: { url: string; row: string; cells: Readonly<Record<string, string>> },
  ): Promise<readonly Readonly<Record<string, HtmlCell>>[]> {
    const answer = await this.#ask({ type: "rows", html, ...query });
    if (answer.type !== "rows") throw new HtmlError("the worker answered something else");
    return answer.rows;
  }

  [Symbol.dispose](): void {
    this.#end(new HtmlError("the program ends"));
  }

  #ask(request: HtmlRequest): Promise<HtmlAnswer> {
    const answer = this.#turn.then(() => this.#send(request));
    this.#turn = answer.catch(() => undefined);
    return answer;
  }

  #send(request: HtmlRequest): Promise<HtmlAnswer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      if (this.#worker === undefined) this.#start();
      else this.#time(this.#limits.timeoutMs, "it took too long");
      this.#worker?.postMessage(request);
    });
  }

  #start(): void {
    // Beside this file, in the source as in a bundle.
    const file = import.meta.url.endsWith(".ts") ? "html_worker.ts" : "html_worker.js";
    const worker = new Worker(new URL(file, import.meta.url), {
      type: "module",
      name: "html",
      deno: { permissions: "none" },
    });
    worker.onmessage = ({ data }: MessageEvent<HtmlAnswer>) => this.#take(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#end(new HtmlError(event.message));
    };
    this.#worker = worker;
    this.#time(this.#limits.startMs, "its reader did not start in time");
  }

  #take(answer: HtmlAnswer): void {
    if (answer.type === "ready") return this.#time(this.#limits.timeoutMs, "it took too long");
    clearTimeout(this.#timer);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (answer.type === "failed") waiting?.reject(new HtmlError(answer.cause));
    else waiting?.resolve(answer);
  }

  #time(ms: number, why: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(new HtmlError(why)), ms);
  }

  #end(reason: Error): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = undefined;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(reason);
  }
}

function pageOf(answer: HtmlAnswer): HtmlPage {
  if (answer.type !== "page") throw new HtmlError("the worker answered something else");
  return answer.page;
}
