/** What a client sends as a prompt, as a message of the person's and what is attached to it. */
import type { ContentBlock } from "@agentclientprotocol/sdk";
import { outsideText } from "@/lib/outside_text.ts";
import { seenFrom } from "@/lib/path_within.ts";
import { PersonError } from "@/protocol/error.ts";
import type { Part } from "@/protocol/message.ts";

/**
 * `said` is in the person's words, where mentions count; `attached` is not read for mentions. `line` is what may be a
 * slash command: a prompt that is text alone.
 */
export type Prompt = { said: readonly Part[]; attached: readonly Part[]; line?: string };

/** Read it. Throws PersonError of kind "usage" for content that was not offered, or that is none. */
export function readPrompt(blocks: readonly ContentBlock[], workspace: string): Prompt {
  const texts: string[] = [];
  const images: Part[] = [];
  const attached: Part[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case "text":
        texts.push(block.text);
        break;
      case "resource_link":
        texts.push(linkText(block, workspace));
        break;
      case "image":
        images.push({ type: "image", mime: block.mimeType, data: bytesOf(block.data) });
        break;
      case "resource":
        attached.push(resourcePart(block.resource));
        break;
      case "audio":
        throw new PersonError(
          "usage",
          "The prompt holds audio, which no model here is sent",
          "Say it in text",
        );
      default:
        block satisfies never;
    }
  }
  const text = texts.join("");
  if (text.trim() === "" && images.length === 0 && attached.length === 0) {
    throw new PersonError("usage", "The prompt is empty", "Send text, an image or a resource");
  }
  const said: Part[] = text === "" ? images : [{ type: "text", text }, ...images];
  const isLine = blocks.every(({ type }) => type === "text");
  return { said, attached, ...(isLine ? { line: text } : {}) };
}

/** A file of the machine is mentioned, so that it is read by our rules; any other address is a word. */
function linkText({ uri, name }: { uri: string; name: string }, workspace: string): string {
  const url = URL.parse(uri);
  if (url?.protocol !== "file:") return `${name} (${uri})`;
  const path = decodeURIComponent(url.pathname);
  const lines = /^#L(\d+)(?:[-:]L?(\d+))?$/.exec(url.hash);
  const range = lines === null
    ? ""
    : `#L${lines[1]}${lines[2] === undefined ? "" : `-L${lines[2]}`}`;
  const near = seenFrom(workspace, path);
  // A path that holds both quotes or a line end is no mention that can be written.
  if (/["\n]/.test(near)) return `${name} (${path})`;
  return ` @"${near}"${range} `;
}

function resourcePart(
  resource: { uri: string; text: string } | { uri: string; blob: string; mimeType?: string | null },
): Part {
  if ("text" in resource) {
    return {
      type: "text",
      text: outsideText(resource.text, `${resource.uri}, attached by the person`),
    };
  }
  const mime = resource.mimeType ?? "";
  if (mime.startsWith("image/")) return { type: "image", mime, data: bytesOf(resource.blob) };
  return {
    type: "text",
    text: `${resource.uri} was attached; it is no text (${mime || "unknown kind"})`,
  };
}

function bytesOf(base64: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(base64);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new PersonError("usage", "The prompt holds data that is not base64", "Attach it again");
  }
}
