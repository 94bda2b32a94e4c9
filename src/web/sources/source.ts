/** What a place that finds pages is, and what it finds. */
import { parsedJson } from "@/lib/json.ts";
import type { HtmlReader } from "@/workers/html.ts";

/** A page that was found. `text`: what is known of it without reading it, where that is its content. */
export type Candidate = { url: string; title: string; snippet: string; text?: string };

/** What a source asks with. */
export type Asking = {
  query: string;
  /** The query without its filler words, for indexes of keywords. */
  distilled: string;
  /** Candidates wanted. */
  most: number;
  html: HtmlReader;
  /** A reply within the source's time, whatever its status. */
  get(url: string): Promise<{ status: number; text: string; url: string }>;
};

/** One place that finds pages. Throws SourceError where its answer is none, and what `get` throws. */
export type Source = {
  /** As it is called in settings and tests. */
  readonly name: string;
  /** As a sentence calls it. */
  readonly title: string;
  /** Where it is asked. */
  readonly url: string;
  find(asking: Asking): Promise<readonly Candidate[]>;
};

/** An answer that is not what this source answers. The message is the end of "SOURCE: …". */
export class SourceError extends Error {
  override readonly name = "SourceError";
}

/** A reply as JSON. Throws SourceError for a refusal and for what is none. */
export async function jsonFrom(asking: Asking, url: string): Promise<unknown> {
  const { status, text } = await asking.get(url);
  const value = parsedJson(text);
  if (status !== 200) throw new SourceError(refusalText(status, value));
  if (value === undefined) throw new SourceError("it answered something that is no JSON");
  return value;
}

function refusalText(status: number, value: unknown): string {
  const said = value as { message?: unknown; error_message?: unknown; error?: unknown } | undefined;
  const why = [said?.message, said?.error_message, said?.error].find((one) =>
    typeof one === "string"
  );
  const limited = status === 403 || status === 429
    ? "it wants fewer requests or another client"
    : "";
  return [`it answered ${status}`, why ?? limited].filter((part) => part !== "").join(": ");
}

/** An answer read by a schema. Throws SourceError: a changed shape is no empty answer. */
export function readShape<T>(
  shape: { safeParse(value: unknown): { success: true; data: T } | { success: false } },
  value: unknown,
): T {
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  throw new SourceError("its answer has another shape than it had; it may have changed");
}
