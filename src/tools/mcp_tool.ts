/** A tool of an MCP server as one of ours: declared by the server, decided about and run like every other. */
import * as z from "zod";
import { isObject } from "@/lib/json.ts";
import { META_SERVER } from "@/lib/tool_meta.ts";
import type { Effect, ToolHost, ToolResult, ToolSpec } from "@/protocol/tool.ts";
import type { KeptTexts } from "@/mcp/kept.ts";
import { callFacts, clipped } from "@/mcp/result.ts";
import { checkValue } from "@/mcp/schema_check.ts";
import type { AttachedTool } from "@/mcp/servers.ts";
import { defineTool, failed, ok } from "./spec.ts";

/** What calls are made with. */
export type McpCallParts = {
  kept: KeptTexts;
  /** What one call may return into a result: MCP_RESULT_CHARS. */
  resultCharsMax(): number;
  /** What a call does, as far as the server's word counts. */
  effectOf(tool: AttachedTool): Effect;
};

/** Make it. `isListed`: whether models are shown it. */
export function mcpTool(tool: AttachedTool, parts: McpCallParts, isListed: boolean): ToolSpec {
  const { remote, named, server } = tool;
  const what = `${server.entry.name}: ${remote.title}`;
  return defineTool({
    name: named.name,
    description: remote.description,
    input: z.looseObject({}),
    foreign: { shown: remote.shown, problem: (input) => problemOf(input, tool) },
    otherNames: named.full === named.name ? [] : [named.full],
    spellings: named.spellings,
    ...(isListed ? {} : { isUnlisted: true }),
    effect: () => parts.effectOf(tool),
    subject: (input) => ({ kind: "text", text: argumentsText(input) }),
    summary: (_, result) => result === undefined ? `call ${what}` : `called ${what}`,
    run: (input, host) => run(input, host, { tool, parts }),
  });
}

/** Arguments as rules see them: JSON, with the names in order, so that the same call is the same text. */
export function argumentsText(input: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(sorted(input));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value).toSorted().map((key) => [key, sorted(value[key])]),
  );
}

function problemOf(input: unknown, { remote }: AttachedTool): string | undefined {
  const checked = checkValue(input, remote.schema);
  return checked.kind === "refused" ? checked.why : undefined;
}

async function run(
  input: Record<string, unknown>,
  host: ToolHost,
  { tool, parts }: { tool: AttachedTool; parts: McpCallParts },
): Promise<ToolResult> {
  const { server, remote } = tool;
  const meta = { [META_SERVER]: server.slug };
  let text: string;
  let facts: ReturnType<typeof callFacts>;
  try {
    facts = callFacts(
      await server.call(remote.tool, input, {
        signal: host.signal,
        onProgress: (progress) => host.output(progressLine(progress)),
      }),
    );
    text = shortened(facts.text, parts);
  } catch (error) {
    host.signal.throwIfAborted();
    if (!(error instanceof Error)) throw error;
    return failed(error.message, { meta });
  }
  const all = { meta: { ...facts.meta, ...meta } };
  return facts.isError ? failed(text, all) : ok(text, all);
}

/** A long text is kept whole for as long as the run lasts. */
function shortened(text: string, { kept, resultCharsMax }: McpCallParts): string {
  const charsMax = resultCharsMax();
  if (text.length <= charsMax) return text;
  const uri = kept.keep(text);
  return clipped(
    text,
    charsMax,
    (offset) => `read_mcp_resource(uri="${uri}", offset=${offset}) shows them`,
  );
}

function progressLine(
  { progress, total, message }: {
    progress: number;
    total?: number | undefined;
    message?: string | undefined;
  },
): string {
  const count = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return `${message === undefined || message === "" ? "progress" : message}: ${count}\n`;
}
