/// <reference lib="deno.worker" />
/** Reads PDF files. Anybody may have written them, so this is a worker with no permission that can be ended. */
import { getDocument } from "unpdf/pdfjs";
import type { PdfAnswer, PdfQuestion } from "./pdf.ts";

self.onmessage = async ({ data }: MessageEvent<PdfQuestion>) => {
  self.postMessage(await answerTo(data));
};

async function answerTo(question: PdfQuestion): Promise<PdfAnswer> {
  try {
    return await read(question);
  } catch (error) {
    // A damaged file, or one with a password: the file's fault, and told as such.
    return { type: "failed", cause: error instanceof Error ? error.message : String(error) };
  }
}

async function read({ bytes, pagesMax, charsMax }: PdfQuestion): Promise<PdfAnswer> {
  const { promise } = getDocument({
    data: bytes,
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: 0,
  });
  const document = await promise;
  const last = Math.min(document.numPages, pagesMax);
  let text = "";
  let at = 0;
  while (at < last && text.length < charsMax) {
    at += 1;
    const page = await document.getPage(at);
    const { items } = await page.getTextContent();
    const words = items.map((item) => "str" in item ? item.str + (item.hasEOL ? "\n" : "") : "");
    const read = words.join("").replace(/(?<![ \t])[ \t]+$/gm, "").trim();
    if (read !== "") text += `${text === "" ? "" : "\n\n"}${read}`;
    page.cleanup();
  }
  return {
    type: "read",
    title: await titleOf(document),
    text: text.slice(0, charsMax),
    pages: document.numPages,
    isPart: at < document.numPages || text.length > charsMax,
  };
}

async function titleOf(document: { getMetadata(): Promise<{ info: object }> }): Promise<string> {
  const { info } = await document.getMetadata();
  const title: unknown = "Title" in info ? info.Title : undefined;
  return typeof title === "string" ? title.replace(/\s+/g, " ").trim() : "";
}
