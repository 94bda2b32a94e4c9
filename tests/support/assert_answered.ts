import type { Message } from "@/protocol/message.ts";

/** Fails where a strict API would answer 400 because of the history; written apart from the product's own check. */
export function assertAnswered(messages: readonly Message[]): void {
  const open = new Set<string>();
  const everSeen = new Set<string>();
  for (const message of messages) {
    if (message.role === "tool") {
      if (!open.delete(message.callId)) {
        throw new Error(`Result for unknown call "${message.callId}"`);
      }
      continue;
    }
    if (open.size > 0) throw new Error(`Calls without a result: ${[...open]}`);
    if (message.content.length === 0) throw new Error(`Empty ${message.role} message`);
    for (const block of message.content) {
      if (block.type === "text" && block.text.trim() === "") throw new Error("Empty text block");
      if (message.role !== "assistant" || block.type !== "tool_call") continue;
      if (block.id === "") throw new Error("A call without an id");
      if (everSeen.has(block.id)) throw new Error(`The id "${block.id}" comes twice`);
      everSeen.add(block.id);
      open.add(block.id);
    }
  }
  if (open.size > 0) throw new Error(`Calls without a result: ${[...open]}`);
  if (messages.at(-1)?.role === "assistant") {
    throw new Error("A request that ends with the assistant");
  }
}
