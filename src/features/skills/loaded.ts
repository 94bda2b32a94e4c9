/** Which skills a conversation holds, read off its history: one whose text was compacted away is loaded no more. */
import type { Guard } from "@/protocol/policy.ts";
import type { Message } from "@/protocol/message.ts";
import type { SkillLibrary } from "@/skills/library.ts";
import { isLoadOf } from "@/skills/skill.ts";

/** The names by which a model calls the tool. */
const TOOLS: readonly string[] = ["use_skill", "skill"];

/** Whether the text of a skill stands in a history. */
export function isSkillLoaded(messages: readonly Message[], name: string): boolean {
  return messages.some((message) => {
    switch (message.role) {
      case "tool":
        return TOOLS.includes(message.name) && message.result.status === "ok" &&
          isLoadOf(message.result.text, name);
      case "user":
        return message.origin === "hook" &&
          message.content.some((part) => part.type === "text" && isLoadOf(part.text, name));
      case "assistant":
        return false;
      default:
        return message satisfies never;
    }
  });
}

/** Refuse to load what waits for the person's trust. */
export function untrustedSkills(library: Pick<SkillLibrary, "whyNot">): Guard {
  return function untrustedSkill({ tool, subject }) {
    if (tool.name !== "use_skill" || subject.kind !== "text") return undefined;
    const reason = library.whyNot(subject.text);
    return reason === undefined ? undefined : { verdict: "deny", by: "guard", reason };
  };
}
