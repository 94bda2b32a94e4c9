/** What a server answers, as text for the model. What is no text is described. */
import type { CallToolResult, GetPromptResult, ReadResourceResult } from "./client.ts";
import { clipMiddle, startOf } from "@/lib/clip.ts";
import { isObject, parsedJson } from "@/lib/json.ts";
import { spokenSize } from "@/lib/size.ts";

/** A result's text, whether the server calls it an error, and what it says about it beside. */
export type ResultFacts = {
  text: string;
  isError: boolean;
  meta: Readonly<Record<string, string | number | boolean>>;
};

const META_MAX = 20;
const META_CHARS_MAX = 500;

type Content = CallToolResult["content"][number];
type ResourceContents = ReadResourceResult["contents"][number];

/** The result of a call. */
export function callFacts(result: CallToolResult): ResultFacts {
  const { content = [], structuredContent, isError = false, _meta } = result;
  const parts = content.map(contentText);
  const structured = structuredText(structuredContent, parts);
  const text = [...parts, ...(structured === undefined ? [] : [structured])].join("\n");
  return { text, isError, meta: flat(_meta) };
}

/** The contents of a resource. */
export function resourceText({ contents }: ReadResourceResult): string {
  return contents.map(resourceContents).join("\n");
}

/** A prompt of a server, as the message that it is sent as. */
export function promptText({ messages }: GetPromptResult): string {
  return messages.map(({ role, content }) => {
    const text = contentText(content);
    return role === "user" ? text : `(as the assistant:) ${text}`;
  }).join("\n\n");
}

/** A text cut from the middle; the gap says how much was left out, and `how` to read it from a place in the text. */
export function clipped(text: string, charsMax: number, how: (offset: number) => string): string {
  return clipMiddle(
    text,
    charsMax,
    ({ chars, start }) => `[... ${chars} characters cut; ${how(start)}]`,
  );
}

function contentText(content: Content): string {
  switch (content.type) {
    case "text":
      return content.text;
    case "image":
    case "audio":
      return `[${content.type}: ${content.mimeType}, ${
        base64Size(content.data)
      }; it is not shown here]`;
    case "resource_link": {
      const { uri, title, name, mimeType, description } = content;
      const kind = mimeType === undefined ? "" : `, ${mimeType}`;
      const about = description === undefined ? "" : `: ${description}`;
      return `[resource ${title ?? name} <${uri}>${kind}${about}]`;
    }
    case "resource":
      return resourceContents(content.resource);
    default:
      return `[${JSON.stringify(content satisfies never)}]`;
  }
}

function resourceContents(resource: ResourceContents): string {
  if ("text" in resource) return resource.text;
  const kind = resource.mimeType ?? "application/octet-stream";
  return `[resource <${resource.uri}>: ${kind}, ${
    base64Size(resource.blob)
  }; it is not shown here]`;
}

/** Structured content, unless a text says the same already, as most servers have it: as JSON, or as its only value. */
function structuredText(structured: unknown, parts: readonly string[]): string | undefined {
  if (structured === undefined) return undefined;
  const values = isObject(structured) ? Object.values(structured) : [];
  const same = [structured, ...(values.length === 1 ? values : [])];
  const compact = new Set(same.map((value) => JSON.stringify(value)));
  const isSaid = same.includes(parts.join("\n")) ||
    parts.some((part) => compact.has(JSON.stringify(parsedJson(part))));
  return isSaid ? undefined : JSON.stringify(structured, null, 2);
}

function base64Size(data: string): string {
  const padding = /(?<!=)=*$/.exec(data)?.[0].length ?? 0;
  return spokenSize(Math.max(0, Math.floor(data.length * 3 / 4) - padding));
}

/** Plain values of `_meta`, and the text of others. */
function flat(meta: unknown): Record<string, string | number | boolean> {
  if (!isObject(meta)) return {};
  return Object.fromEntries(
    Object.entries(meta).slice(0, META_MAX).map(([key, value]) => {
      const isPlain = typeof value === "number" || typeof value === "boolean";
      const text = typeof value === "string" ? value : JSON.stringify(value) ?? "";
      return [
        `mcp:${startOf(key, META_CHARS_MAX)}`,
        isPlain ? value : startOf(text, META_CHARS_MAX),
      ];
    }),
  );
}
