/** What stays word for word when a conversation is shortened, beside what people asked for. */
import type { Message } from "@/protocol/message.ts";
import { messageTokens } from "@/lib/message_tokens.ts";
import { META_STAYS } from "@/lib/tool_meta.ts";
import { laterInstructionNames } from "@/workspace/instructions.ts";
import { loadedName, stayingName } from "@/skills/skill.ts";

/** The name under which a message stays; the newest of each name does. Undefined for what may be left out. */
export function staysAs(message: Message): string | undefined {
  switch (message.role) {
    case "tool": {
      const name = message.result.meta?.[META_STAYS];
      return name === undefined ? undefined : String(name);
    }
    case "user": {
      const [part] = message.origin === "hook" ? message.content : [];
      return part?.type === "text" ? noteStaysAs(part.text) : undefined;
    }
    case "assistant":
      return undefined;
  }
}

/** What the person has loaded with /skill, and instructions of directories. */
function noteStaysAs(text: string): string | undefined {
  const skill = loadedName(text);
  if (skill !== undefined) return stayingName(skill);
  const files = laterInstructionNames(text);
  return files === undefined ? undefined : `instructions of ${files}`;
}

/** All that stays may take this much of the room for a history. */
export const STAYS_SHARE = 0.3;

/** Whether a message is sent as it is for as long as it is sent; what is too large for the room is cut like any other. */
export function isUncut(message: Message, roomTokens: number): boolean {
  return staysAs(message) !== undefined && messageTokens(message) <= roomTokens * STAYS_SHARE;
}
