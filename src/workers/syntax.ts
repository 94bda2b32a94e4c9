/** Syntax trees of source code, made in a worker without rights that is ended when a file takes too long. */
import { fileErrorReason } from "@/lib/file_error.ts";
import { Slots } from "@/lib/slots.ts";
import { grammarUrl, type Language, runtimeUrl } from "./grammars.ts";
import type {
  Names,
  Outline,
  QueryFound,
  Source,
  SyntaxAnswer,
  SyntaxJob,
  SyntaxReply,
  SyntaxRequest,
} from "./syntax/answer.ts";

/** No tree was made; the message is the end of a sentence: "it …". */
export class NoTree extends Error {
  override readonly name = "NoTree";
}

/** A query that is none; a sentence. */
export class BadQuery extends Error {
  override readonly name = "BadQuery";
}

/** Limits of time, in milliseconds; a test sets shorter ones. */
export type SyntaxLimits = {
  /** For one file, from when the worker turns to it. */
  jobMs: number;
  /** Until a worker has started and read a grammar: seconds where other programs want the processor too. */
  startMs: number;
  /** A worker that has nothing to do for so long is ended, with the memory that it has taken. */
  idleMs: number;
};

const LIMITS: SyntaxLimits = { jobMs: 15_000, startMs: 60_000, idleMs: 60_000 };

/** Matches of a query that are told. */
const MATCHES_MAX = 50;

/** One worker, started when it is first needed and again after it was ended; it makes one tree at a time. */
export class Syntax {
  readonly #limits: SyntaxLimits;
  readonly #slots = new Slots(() => 1);
  #worker: TreeWorker | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(limits: Partial<SyntaxLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** What the code declares. Throws NoTree, or the signal's reason. */
  async outline(source: Source, signal: AbortSignal): Promise<Outline> {
    const answer = await this.#do(source, { job: { kind: "outline" }, signal });
    if (answer.kind !== "outline") throw unexpected(answer);
    return answer.outline;
  }

  /** Where names stand. Throws NoTree, or the signal's reason. */
  async names(source: Source, signal: AbortSignal): Promise<Names> {
    const answer = await this.#do(source, { job: { kind: "names" }, signal });
    if (answer.kind !== "names") throw unexpected(answer);
    return answer.names;
  }

  /** What a query of tree-sitter matches. Throws BadQuery, NoTree, or the signal's reason. */
  async query(source: Source, pattern: string, signal: AbortSignal): Promise<QueryFound> {
    const job = { kind: "query", pattern, matchesMax: MATCHES_MAX } as const;
    const answer = await this.#do(source, { job, signal });
    if (answer.kind === "bad-query") throw new BadQuery(answer.sentence);
    if (answer.kind !== "query") throw unexpected(answer);
    return answer.found;
  }

  /** End the worker; the next call starts another one. */
  close(): void {
    clearTimeout(this.#idle);
    this.#worker?.end();
    this.#worker = undefined;
  }

  #do(
    source: Source,
    { job, signal }: { job: SyntaxJob; signal: AbortSignal },
  ): Promise<SyntaxAnswer> {
    return this.#slots.use(async () => {
      clearTimeout(this.#idle);
      const worker = this.#worker ??= new TreeWorker();
      const end = () => worker.end();
      signal.addEventListener("abort", end, { once: true });
      try {
        const { jobMs, startMs } = this.#limits;
        await worker.ready(source.language, startMs);
        return await worker.run({ type: "job", source, job }, jobMs);
      } catch (error) {
        // Whatever it was, the state of this worker is not known any more.
        this.close();
        signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener("abort", end);
        this.#idle = setTimeout(() => this.close(), this.#limits.idleMs);
        Deno.unrefTimer(this.#idle);
      }
    }, signal);
  }
}

/** A worker and the one request that it is at. */
class TreeWorker {
  readonly #worker: Worker;
  readonly #grammars = new Set<Language>();
  readonly #started: Promise<SyntaxReply>;
  #hasRuntime = false;
  /** Why it will answer nothing more. */
  #dead: string | undefined;
  #waiting: PromiseWithResolvers<SyntaxReply>;

  constructor() {
    // Beside this file, in the source as in a bundle.
    const file = import.meta.url.endsWith(".ts") ? "syntax_worker.ts" : "syntax_worker.js";
    this.#waiting = Promise.withResolvers();
    this.#started = this.#waiting.promise;
    this.#worker = new Worker(new URL(file, import.meta.url), {
      type: "module",
      name: "syntax",
      deno: { permissions: "none" },
    });
    this.#worker.onmessage = ({ data }: MessageEvent<SyntaxReply>) => this.#waiting.resolve(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#dead = `could not be taken apart: ${event.message}`;
      this.#fail(this.#dead);
    };
  }

  /** Has the grammar from now on. */
  async ready(language: Language, startMs: number): Promise<void> {
    if (!this.#hasRuntime) {
      await this.#within(this.#started, startMs, "its worker did not start");
      await this.#ask({ type: "runtime", wasm: await wasmAt(runtimeUrl()) }, startMs);
      this.#hasRuntime = true;
    }
    if (this.#grammars.has(language)) return;
    await this.#ask(
      { type: "grammar", language, wasm: await wasmAt(grammarUrl(language)) },
      startMs,
    );
    this.#grammars.add(language);
  }

  async run(request: SyntaxRequest, jobMs: number): Promise<SyntaxAnswer> {
    const reply = await this.#ask(request, jobMs);
    if (reply.type !== "answer") throw new Error(`The syntax worker answered "${reply.type}"`);
    return reply.answer;
  }

  end(): void {
    this.#worker.terminate();
    this.#dead = "was given up: the work was ended";
    this.#fail(this.#dead);
  }

  async #ask(request: SyntaxRequest, ms: number): Promise<SyntaxReply> {
    if (this.#dead !== undefined) throw new NoTree(this.#dead);
    this.#waiting = Promise.withResolvers();
    this.#worker.postMessage(request);
    const late = `took more than ${ms / 1000} s and was given up`;
    const reply = await this.#within(this.#waiting.promise, ms, late);
    if (reply.type === "failed") throw new NoTree(`could not be taken apart: ${reply.cause}`);
    return reply;
  }

  async #within(reply: Promise<SyntaxReply>, ms: number, late: string): Promise<SyntaxReply> {
    const timer = setTimeout(() => this.#fail(late), ms);
    try {
      return await reply;
    } finally {
      clearTimeout(timer);
    }
  }

  #fail(cause: string): void {
    this.#waiting.reject(new NoTree(cause));
  }
}

async function wasmAt(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await Deno.readFile(url);
  } catch (error) {
    const reason = `the grammar ${url.pathname} cannot be read (${fileErrorReason(error)})`;
    throw new NoTree(`could not be taken apart: ${reason}`);
  }
}

function unexpected({ kind }: SyntaxAnswer): Error {
  return new Error(`The syntax worker answered with "${kind}"`);
}
