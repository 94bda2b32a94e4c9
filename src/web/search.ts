/**
 * A search: sources asked side by side, their pages read, the pages' passages ranked, and those below a floor not handed
 * over. What cannot be reached is told and leaves the rest as it is.
 */
import { describe } from "@/lib/describe.ts";
import { LinkedAbort } from "@/lib/linked_abort.ts";
import { contentOf } from "./decode.ts";
import { readPage, requestOf, WebError, type WebParts } from "./fetch.ts";
import { passagesOf } from "./passages.ts";
import { rank } from "./rank.ts";
import { type Candidate, type Source, SourceError } from "./sources/source.ts";
import { distil } from "./terms.ts";

/** The bounds of a search; the names are those of the settings. */
export type SearchLimits = {
  resultsMax: number;
  candidates: number;
  pagesMax: number;
  pageChars: number;
  passageChars: number;
  sourceMs: number;
  pageMs: number;
  totalMs: number;
};

/** What searches work with. */
export type SearchParts = {
  web: WebParts;
  sources(query: string): readonly Source[];
  limits(): SearchLimits;
  /** Whether no rule stands against reading a page. */
  mayRead(url: URL): boolean;
};

/** A passage that answers, and where it stands. */
export type Found = { url: string; title: string; passage: string };

/** What a search came to. `rejected`: pages that were looked at and do not answer. */
export type SearchOutcome = {
  found: readonly Found[];
  rejected: readonly string[];
  /** Sources that gave candidates, by their titles. */
  answered: readonly string[];
  /** What did not work, a sentence each. */
  notes: readonly string[];
};

/** Search. Throws only what aborts. */
export async function search(
  parts: SearchParts,
  query: string,
  signal: AbortSignal,
): Promise<SearchOutcome> {
  const { totalMs } = parts.limits();
  using limit = new LinkedAbort(signal);
  const timer = setTimeout(
    () => limit.abort(new DOMException("The search took too long", "TimeoutError")),
    totalMs,
  );
  try {
    const outcome = await twice(parts, query, limit.signal);
    signal.throwIfAborted();
    return outcome;
  } finally {
    clearTimeout(timer);
  }
}

/** Web engines are asked in the person's words; without the fillers they may find something else. */
async function twice(parts: SearchParts, query: string, signal: AbortSignal) {
  const first = await new Search(parts, signal).run(query);
  const again = distil(query);
  if (first.found.length > 0 || again === query.trim() || signal.aborted) return first;
  return joined(first, await new Search(parts, signal).run(again));
}

function joined(first: SearchOutcome, second: SearchOutcome): SearchOutcome {
  const both = (
    one: readonly string[],
    other: readonly string[],
  ) => [...new Set([...one, ...other])];
  return {
    found: second.found,
    rejected: both(first.rejected, second.rejected),
    answered: both(first.answered, second.answered),
    notes: both(first.notes, second.notes),
  };
}

/** A page with its text. */
type Read = Candidate & { text: string };

class Search {
  readonly #parts: SearchParts;
  readonly #limits: SearchLimits;
  readonly #signal: AbortSignal;
  readonly #notes: string[] = [];
  readonly #answered: string[] = [];

  constructor(parts: SearchParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#limits = parts.limits();
    this.#signal = signal;
  }

  async run(query: string): Promise<SearchOutcome> {
    const sources = this.#parts.sources(query);
    const lists = await Promise.all(sources.map((source) => this.#ask(source, query)));
    const pages = await this.#read(unique(inTurns(lists)));
    const passages = pages.flatMap((page) =>
      passagesOf(page.text.slice(0, this.#limits.pageChars), this.#limits.passageChars)
        .map((passage) => ({ url: page.url, title: page.title, passage }))
    );
    const { kept } = rank(query, passages.map(({ passage }) => passage));
    const found = onePerPage(kept.flatMap((at) => passages[at] ?? []));
    const urls = new Set(found.map(({ url }) => url));
    return {
      found: found.slice(0, this.#limits.resultsMax),
      rejected: pages.map(({ url }) => url).filter((url) => !urls.has(url)),
      answered: this.#answered,
      notes: this.#notes,
    };
  }

  async #ask(source: Source, query: string): Promise<readonly Candidate[]> {
    const { candidates, sourceMs } = this.#limits;
    try {
      const found = await this.#within(source.find({
        ...{ query, distilled: distil(query), most: candidates, html: this.#parts.web.html },
        get: async (url) => {
          const request = { url, signal: this.#signal, timeoutMs: sourceMs };
          const reply = await requestOf(this.#parts.web, request);
          const content = contentOf(reply.body, reply.headers.get("content-type"));
          return {
            status: reply.status,
            text: content.kind === "other" ? "" : content.text,
            url: reply.url,
          };
        },
      }));
      if (found.length > 0) this.#answered.push(source.title);
      return found;
    } catch (error) {
      this.#note(`${source.title}: ${whyNot(error)}`);
      return [];
    }
  }

  /** Rejects with the signal's reason where that comes first. */
  async #within<T>(finding: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const give = () => late.reject(this.#signal.reason);
    if (this.#signal.aborted) give();
    this.#signal.addEventListener("abort", give);
    try {
      return await Promise.race([finding, late.promise]);
    } finally {
      this.#signal.removeEventListener("abort", give);
    }
  }

  /** Those with text as they are, and the first of the others, read side by side. */
  async #read(candidates: readonly Candidate[]): Promise<readonly Read[]> {
    const wanted = candidates.filter(({ text, url }) => text === undefined && this.#mayRead(url))
      .slice(0, this.#limits.pagesMax);
    const reading = new Map(wanted.map((page) => [page, this.#page(page)]));
    const pages: Read[] = [];
    for (const candidate of candidates) {
      const text = candidate.text ?? await reading.get(candidate) ?? candidate.snippet;
      if (text.trim() !== "") pages.push({ ...candidate, text });
    }
    return pages;
  }

  #mayRead(text: string): boolean {
    const url = URL.parse(text);
    return url !== null && this.#parts.mayRead(url);
  }

  /** The text of a page; undefined where it was not read: what its source said of it counts then. */
  async #page({ url }: Candidate): Promise<string | undefined> {
    const { pageMs } = this.#limits;
    try {
      const request = { url, signal: this.#signal, timeoutMs: pageMs };
      const page = await this.#within(readPage(this.#parts.web, request));
      return page.status === 200 ? page.text : undefined;
    } catch (error) {
      this.#note(`${hostOf(url)}: ${whyNot(error)}`);
      return undefined;
    }
  }

  #note(text: string): void {
    if (!this.#notes.includes(text)) this.#notes.push(text);
  }
}

function whyNot(error: unknown): string {
  if (error instanceof WebError || error instanceof SourceError) return error.message;
  if (error instanceof DOMException && /^(TimeoutError|AbortError)$/.test(error.name)) {
    return "no answer in time";
  }
  if (error instanceof Error) return describe(error);
  throw error;
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}

/** The first of each list, then the second of each: no source pushes the others out. */
function inTurns(lists: readonly (readonly Candidate[])[]): readonly Candidate[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
}

/** A page once, however its address ends; the one that brings its text first. */
function unique(candidates: readonly Candidate[]): readonly Candidate[] {
  const seen = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const key = candidate.url.replace(/#.*$/, "").replace(/\/$/, "");
    const known = seen.get(key);
    if (known === undefined || (known.text === undefined && candidate.text !== undefined)) {
      seen.set(key, candidate);
    }
  }
  return [...seen.values()];
}

function onePerPage(found: readonly Found[]): readonly Found[] {
  const seen = new Set<string>();
  return found.filter(({ url }) => !seen.has(url) && seen.add(url));
}
