/** What answers of programs say, in words for the model. */
import { systemNote } from "@/lib/tool_result.ts";
import type { Message } from "@/protocol/message.ts";
import type { Heard } from "./rounds.ts";

/** Whether it wants nothing to go on. */
export function isStop({ answer }: Heard): boolean {
  return answer.kind === "said" && answer.said.isStop;
}

/** Why a program does not want what has happened, or is to happen. */
export function refusalOf({ answer }: Heard): string | undefined {
  if (answer.kind === "blocked") return answer.reason;
  if (answer.kind !== "said") return undefined;
  const { permission, isStop, reason } = answer.said;
  return permission === "deny" || isStop ? reason || "it gave no reason" : undefined;
}

/** Every line is marked: whatever it printed, it does not pass for a word of ours. */
export function noteOf({ name }: Heard, about: string, text: string): string {
  const lines = text.split("\n").map((line) => `| ${line}`).join("\n");
  return systemNote(`The user's ${name} ${about}:\n${lines}`);
}

/** What they have for the model to know. */
export function contextOf(heard: readonly Heard[], about: string): readonly string[] {
  return heard.flatMap((one) => {
    const { answer } = one;
    if (answer.kind !== "said" || answer.said.context === "") return [];
    return [noteOf(one, about, answer.said.context)];
  });
}

/** The text of the newest reply. */
export function newestReply(messages: readonly Message[]): string {
  const last = messages.findLast(({ role }) => role === "assistant");
  if (last?.role !== "assistant") return "";
  return last.content.flatMap((block) => block.type === "text" ? [block.text] : []).join("");
}
