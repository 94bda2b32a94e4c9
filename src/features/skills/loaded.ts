/** Which skills a conversation holds, read off its history: one whose text was compacted away is loaded no more. */
import type { Guard } from "@/protocol/policy.ts";
import type { Message } from "@/protocol/message.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import type { SkillLibrary } from "@/skills/library.ts";
import { loadedName } from "@/skills/skill.ts";

/** Whether the text of a skill stands in a history. `tools` are those that load one. */
export function isSkillLoaded(
  messages: readonly Message[],
  name: string,
  tools: readonly ToolSpec[],
): boolean {
  const names = tools.flatMap((tool) => [tool.name, ...tool.otherNames ?? []]);
  return messages.some((message) => {
    switch (message.role) {
      case "tool":
        return names.includes(message.name) && message.result.status === "ok" &&
          loadedName(message.result.text) === name;
      case "user":
        return message.origin === "hook" &&
          message.content.some((part) => part.type === "text" && loadedName(part.text) === name);
      case "assistant":
        return false;
      default:
        return message satisfies never;
    }
  });
}

/** Refuse to have `tools` load what waits for the person's trust. */
export function untrustedSkills(
  library: Pick<SkillLibrary, "whyNot">,
  tools: readonly Pick<ToolSpec, "name">[],
): Guard {
  const names = new Set(tools.map(({ name }) => name));
  return function untrustedSkill({ tool, subject }) {
    if (!names.has(tool.name) || subject.kind !== "text") return undefined;
    const reason = library.whyNot(subject.text);
    return reason === undefined ? undefined : { verdict: "deny", by: "guard", reason };
  };
}
