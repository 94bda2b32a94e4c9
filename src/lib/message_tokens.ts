/** Estimates of what messages and tools cost in a request, in tokens before any correction. Each is counted once. */
import type { Message } from "@/protocol/message.ts";
import type { ToolDefinition } from "@/protocol/tool.ts";
import { memo } from "./memo.ts";
import { IMAGE_TOKENS, rawTokens } from "./tokens.ts";

/** Tokens of one message, without what stands around it. */
export const messageTokens: (message: Message) => number = memo((message) => {
  switch (message.role) {
    case "user":
      return message.content.reduce((sum, part) => sum + partTokens(part), 0);
    case "tool": {
      const parts = message.result.parts ?? [];
      return rawTokens(message.result.text) +
        parts.reduce((sum, part) => sum + partTokens(part), 0);
    }
    case "assistant":
      return message.content.reduce((sum, block) => {
        const own = block.private === undefined ? 0 : rawTokens(JSON.stringify(block.private.data));
        if (block.type !== "tool_call") return sum + rawTokens(block.text) + own;
        return sum + rawTokens(block.name + JSON.stringify(block.input ?? {})) + own;
      }, 0);
  }
});

/** Tokens of a list of tools. */
export const toolTokens: (tools: readonly ToolDefinition[]) => number = memo((tools) =>
  rawTokens(JSON.stringify(tools))
);

function partTokens(part: { type: "text"; text: string } | { type: "image" }): number {
  return part.type === "text" ? rawTokens(part.text) : IMAGE_TOKENS;
}
