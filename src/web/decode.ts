/** What a reply's bytes are: which type, and which text. */
import { byteOrderMark, decode, encodingOf } from "@/lib/encoding.ts";
import { guessEncoding } from "@/lib/guess_encoding.ts";

/** A reply's body by what can be done with it. */
export type Content = { kind: "html" | "text"; text: string } | { kind: "other"; type: string };

const HTML = /^(text\/html|application\/xhtml\+xml)$/;
const TEXT =
  /^(text\/.*|.*[/+](json|xml|yaml|x-yaml|javascript|x-javascript|ecmascript|toml|csv|x-ndjson|sql|x-sh|graphql))$/;
/** The type of PDF files, whatever their server calls them. */
export const PDF = "application/pdf";
const PDF_START = new TextEncoder().encode("%PDF-");

/** Where it is seen whether bytes are text, and how many zeros are strays in what says that it is. */
const SAMPLE_BYTES = 4_096;
const ZEROS_MAX = 8;

/** Where a page says its encoding, by the HTML standard. */
const META_BYTES = 1024;

/** Read a body. `contentType`: the header, if there is one. */
export function contentOf(bytes: Uint8Array, contentType: string | null): Content {
  const type = (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const says = type !== "" && type !== "application/octet-stream";
  if (!says && PDF_START.every((byte, at) => bytes[at] === byte)) {
    return { kind: "other", type: PDF };
  }
  if (says && !HTML.test(type) && !TEXT.test(type)) return { kind: "other", type };
  const label = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType ?? "")?.[1];
  const isWide = /^utf-?16|^ucs-?2|^utf-?32/i.test(byteOrderMark(bytes)?.encoding ?? label ?? "");
  const zeros = isWide ? 0 : bytes.subarray(0, SAMPLE_BYTES).filter((byte) => byte === 0).length;
  if (!says && zeros > 0) return { kind: "other", type: type === "" ? "no type, not text" : type };
  if (!HTML.test(type) && zeros > ZEROS_MAX) {
    return { kind: "other", type: `${type} that is binary` };
  }
  const isHtml = HTML.test(type) || (!says && looksLikeHtml(bytes));
  const text = decodeBody(bytes, label ?? (isHtml ? metaLabel(bytes) : undefined));
  return { kind: isHtml ? "html" : "text", text };
}

/** A byte order mark says it, else the label does, else the bytes do. */
function decodeBody(bytes: Uint8Array, label: string | undefined): string {
  const mark = byteOrderMark(bytes);
  if (mark !== undefined) return decode(bytes.subarray(mark.length), mark.encoding);
  const named = label === undefined ? undefined : encodingOf(label);
  if (named !== undefined) return decode(bytes, named);
  const other = label === undefined ? undefined : otherDecoder(label);
  return other?.decode(bytes) ?? decode(bytes, guessEncoding(bytes).encoding);
}

/** Encodings of the web that no file of ours is written in, such as windows-1250. */
function otherDecoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

function metaLabel(bytes: Uint8Array): string | undefined {
  const head = decode(bytes.subarray(0, META_BYTES), "windows-1252");
  const label = /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1];
  // What was just read as bytes cannot be UTF-16, whatever it says.
  return label !== undefined && /^utf-?16/i.test(label) ? "utf-8" : label;
}

function looksLikeHtml(bytes: Uint8Array): boolean {
  return /^\s*(<!--.*?-->\s*)*<(!doctype html|html|head|body)[\s>]/is
    .test(decode(bytes.subarray(0, META_BYTES), "windows-1252").replace(/^ï»¿/, ""));
}
