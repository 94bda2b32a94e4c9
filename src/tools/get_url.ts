/** Read a page of the web as text. */
import * as z from "zod";
import { outsideText } from "@/lib/outside_text.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { ADDRESS_HINT, readWebUrl, webUrlText } from "@/web/address.ts";
import { readPage, WebError, type WebParts } from "@/web/fetch.ts";
import { partOf } from "@/web/page_text.ts";
import { defineTool, failed, ok } from "./spec.ts";

const TIMEOUT_MS = 20_000;

export const getUrl = (parts: { web: WebParts }): ToolSpec =>
  defineTool({
    name: "get_url",
    description: "Read a web page or file as text with its links; a long one comes in parts.",
    input: z.object({
      url: z.string().refine((url) => readWebUrl(url) !== undefined, `It must be ${ADDRESS_HINT}`),
      start: z.int().min(0).optional().describe("Character to begin at, for the next part"),
    }),
    hidden: ["start"],
    aliases: { url: ["uri", "link", "address"], start: ["start_index", "offset"] },
    otherNames: ["fetch", "web_fetch", "fetch_url", "read_url"],
    effect: () => "reads",
    visiting: (url) => ({ url }),
    subject: ({ url }) => ({ kind: "url", text: webUrlText(url) }),
    summary: ({ url }, result) => {
      const { title, chars } = result?.meta ?? {};
      if (result === undefined) return `read ${webUrlText(url)}`;
      if (result.status !== "ok") return `did not read ${webUrlText(url)}`;
      return `read ${webUrlText(url)}${title === "" ? "" : ` "${title}"`} (${chars} characters)`;
    },
    async run({ url, start = 0 }, host) {
      try {
        const request = { url: webUrlText(url), signal: host.signal, timeoutMs: TIMEOUT_MS };
        const page = await readPage(parts.web, request);
        const { text, note } = partOf(page.text, start);
        const isBad = page.status >= 400;
        const facts = [
          ...(isBad ? [`the server answered ${page.status}`] : []),
          ...(page.title === "" ? [] : [JSON.stringify(page.title)]),
          ...(page.isPart ? ["its main part"] : []),
          ...(note === "" ? [] : [note]),
        ];
        const from = `From ${page.url}${facts.length === 0 ? "" : ` (${facts.join("; ")})`}`;
        const told = text.trim() === "" ? `${from}: no text` : outsideText(text, from);
        const meta = { title: page.title, chars: page.text.length, status: page.status };
        return isBad ? failed(told, { meta }) : ok(told, { meta });
      } catch (error) {
        if (error instanceof WebError) return failed(error.message);
        throw error;
      }
    },
  });
