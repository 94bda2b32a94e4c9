/** Pages of the web, read within bounds: asked for through the one way out, turned into text without rights. */
import { counted } from "@/lib/counted.ts";
import { describe } from "@/lib/describe.ts";
import { spokenSize } from "@/lib/size.ts";
import { EgressRefused, type EgressReply, type EgressRequest } from "@/sandbox/egress/mod.ts";
import { HtmlError, type HtmlReader } from "@/workers/html.ts";
import { readWebUrl } from "./address.ts";
import { contentOf, PDF } from "./decode.ts";

/** What pages are read with. */
export type WebParts = {
  /** The one way out; loaded with the first request. */
  client(): Promise<{ read(request: EgressRequest): Promise<EgressReply> }>;
  html: HtmlReader;
  /** Whether a redirect to another host may be followed. */
  mayFollow(to: URL): boolean;
};

export type PageRequest = { url: string; signal: AbortSignal; timeoutMs: number };

/** A page as text. `url`: where it was found in the end. */
export type Page = { url: string; status: number; title: string; text: string; isPart: boolean };

/** A page that was not read. The message is a whole sentence for the model. */
export class WebError extends Error {
  override readonly name = "WebError";
}

export const PAGE_BYTES_MAX = 8 * 1024 * 1024;
/** HTML that is looked at; no text that anybody reads stands behind so much of it. */
const HTML_CHARS_MAX = 2_000_000;

/** Servers want to know who asks; some turn away what does not look like any browser. */
const USER_AGENT = "Mozilla/5.0 (compatible; harness; terminal assistant)";

/** What every request of a tool says of itself. */
export const HEADERS: Readonly<Record<string, string>> = {
  "user-agent": USER_AGENT,
  "accept-language": "en, *;q=0.5",
};

/** Read a page as text, whatever its status. Throws WebError, and what aborts. */
export async function readPage(parts: WebParts, request: PageRequest): Promise<Page> {
  const reply = await requestOf(parts, request);
  const { url, status } = reply;
  const left = leftBehind(reply);
  if (left !== undefined) throw new WebError(left);
  if (reply.isCut) {
    throw new WebError(
      `${url} is larger than ${spokenSize(PAGE_BYTES_MAX)}; nothing of it was read`,
    );
  }
  const content = contentOf(reply.body, reply.headers.get("content-type"));
  switch (content.kind) {
    case "other":
      if (content.type === PDF) return { url, status, ...await pdfPage(reply, request.signal) };
      throw new WebError(noText(url, content.type, reply.body.length));
    case "text":
      return { url, status, title: "", text: content.text, isPart: false };
    case "html":
      return { url, status, ...await htmlPage(parts.html, content.text, url) };
    default:
      return content satisfies never;
  }
}

async function htmlPage(html: HtmlReader, text: string, url: string) {
  try {
    const page = await html.page(text.slice(0, HTML_CHARS_MAX), url);
    return { title: page.title, text: page.text, isPart: page.isArticle };
  } catch (error) {
    if (!(error instanceof HtmlError)) throw error;
    throw new WebError(`${url} was fetched, but its HTML could not be read: ${error.message}`);
  }
}

/** Loaded with the first PDF. */
async function pdfPage({ url, body }: EgressReply, signal: AbortSignal) {
  const { readPdf } = await import("@/workers/pdf.ts");
  const size = spokenSize(body.length);
  try {
    const read = await readPdf(new Uint8Array(body), signal);
    if (read.type === "failed") throw new Error(read.cause);
    if (read.text === "") {
      const pages = counted(read.pages, "page");
      throw new Error(`its ${pages} hold no text; they are images, probably`);
    }
    const cut = read.isPart ? "\n\n[its end was not read]" : "";
    return { title: read.title, text: read.text + cut, isPart: false };
  } catch (error) {
    signal.throwIfAborted();
    throw new WebError(
      `${url} is a PDF (${size}) whose text could not be read: ${describe(error)}`,
    );
  }
}

/** One request with its whole reply. Throws WebError with a sentence, and what aborts. */
export async function requestOf(
  { client, mayFollow }: Pick<WebParts, "client" | "mayFollow">,
  request: PageRequest & Pick<EgressRequest, "method" | "headers" | "body">,
): Promise<EgressReply> {
  try {
    return await (await client()).read({
      bodyBytesMax: PAGE_BYTES_MAX,
      ...request,
      headers: { ...HEADERS, ...request.headers },
      mayFollow,
    });
  } catch (error) {
    request.signal.throwIfAborted();
    if (error instanceof EgressRefused) throw new WebError(error.message);
    if (error instanceof DOMException && error.name === "TimeoutError") {
      throw new WebError(`${request.url} gave no whole reply within ${request.timeoutMs / 1000} s`);
    }
    if (!(error instanceof Error)) throw error;
    throw new WebError(`${request.url} could not be reached: ${reasonOf(error)}`);
  }
}

/** The end of what fetch says (Deno 2.9): before it stand the address again and the port of our own proxy. */
function reasonOf(error: Error): string {
  return describe(error).replace(/^error sending request .*?: client error \(\w+\): /s, "");
}

/** What is said of a redirect that was not followed; undefined for any other reply. */
export function leftBehind({ url, status, headers, redirects }: EgressReply): string | undefined {
  const location = headers.get("location");
  if (status < 300 || status > 399 || location === null) return undefined;
  const to = URL.parse(location, url)?.href;
  if (to === undefined) return `${url} leads to "${location}", which is no address`;
  if (readWebUrl(to) === undefined) return `${url} leads to ${to}, which is no web address`;
  return redirects.length > 0 && new URL(to).host === new URL(url).host
    ? `${url} leads on and on (${redirects.length} redirects); the next would be ${to}`
    : `${url} leads to another host: ${to}. Nothing there was asked for; call with that address if it is what you want`;
}

function noText(url: string, type: string, bytes: number): string {
  return `${url} is no text (${type}, ${spokenSize(bytes)})`;
}
