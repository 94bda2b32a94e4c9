/** What every request of a conversation pays for and no summary makes shorter. */
import type { Message } from "@/protocol/message.ts";
import type { ToolDefinition } from "@/protocol/tool.ts";
import { clipEnd } from "@/lib/clip.ts";
import { counted } from "@/lib/counted.ts";
import { serverPart } from "@/mcp/names.ts";
import { messageTokens } from "@/lib/message_tokens.ts";
import { rawTokens } from "@/lib/tokens.ts";
import { isRequest } from "./kept_words.ts";

const NAMED_MAX = 3;
const WORDS_SHOWN = 40;

type Cost = { what: string; tokens: number };

/** The three largest, as a sentence. `correction` makes true tokens of estimated ones. */
export function costsSentence(
  { system, tools }: { system: string; tools: readonly ToolDefinition[] },
  messages: readonly Message[],
  correction: number,
): string {
  const costs = [
    { what: "the instructions", tokens: rawTokens(system) },
    ...toolCosts(tools),
    ...messageCosts(messages),
  ].sort((a, b) => b.tokens - a.tokens).slice(0, NAMED_MAX);
  const named = costs.map(({ what, tokens }) =>
    `${what} (about ${countedTokens(Math.round(tokens * correction))})`
  );
  return `What takes most and stays: ${named.join(", ")}`;
}

function countedTokens(tokens: number): string {
  return tokens === 1 ? "1 token" : `${tokens.toLocaleString("en-US")} tokens`;
}

/** Tools of one MCP server together, our own together. */
function toolCosts(tools: readonly ToolDefinition[]): readonly Cost[] {
  const groups = Map.groupBy(tools, ({ name }) => serverPart(name) ?? "");
  return [...groups].map(([server, group]) => ({
    what: server === ""
      ? counted(group.length, "tool")
      : `${counted(group.length, "tool")} of the MCP server ${server}`,
    tokens: rawTokens(JSON.stringify(group)),
  }));
}

function messageCosts(messages: readonly Message[]): readonly Cost[] {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  return messages.flatMap((message, at) => {
    const tokens = messageTokens(message);
    if (isRequest(message)) return [{ what: `your message "${beginning(message)}"`, tokens }];
    if (message.role === "tool" && at > last) {
      return [{ what: `the result of ${message.name}`, tokens }];
    }
    return at === last ? [{ what: "your model's last reply with its calls", tokens }] : [];
  });
}

function beginning(message: { content: readonly { type: string; text?: string }[] }): string {
  const text = message.content.map((part) => part.text ?? "").join(" ").replace(/\s+/g, " ").trim();
  return clipEnd(text, WORDS_SHOWN);
}
