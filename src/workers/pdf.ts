/** The text of PDF files that anybody may have written, read in a worker that is ended afterwards. */
import { askOnce } from "./one_shot.ts";

export type PdfQuestion = { bytes: Uint8Array<ArrayBuffer>; pagesMax: number; charsMax: number };

/** `isPart`: there are more pages, or more text, than were read. */
export type PdfAnswer =
  | { type: "read"; title: string; text: string; pages: number; isPart: boolean }
  | { type: "failed"; cause: string };

const TIMEOUT_MS = 30_000;
const PAGES_MAX = 1_000;
const CHARS_MAX = 2_000_000;

/** Read one. Rejects with the signal's reason when it is aborted, and when the worker gives no answer. */
export async function readPdf(
  bytes: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Promise<PdfAnswer> {
  return await askOnce<PdfQuestion, PdfAnswer>({
    file: "pdf_worker",
    name: "pdf",
    question: { bytes, pagesMax: PAGES_MAX, charsMax: CHARS_MAX },
    timeoutMs: TIMEOUT_MS,
    failing: "the PDF was not read",
  }, signal);
}
