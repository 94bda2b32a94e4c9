/** Slash commands in an editor: those that need no terminal, announced from the same list as `/help`. */
import type { ContentBlock, SessionUpdate } from "@agentclientprotocol/sdk";
import { textBlock } from "./content.ts";

/** What is announced of a command. */
type Command = {
  readonly name: string;
  readonly usage: readonly { form: string; brief: string }[];
  readonly needsScreen?: boolean;
};

/** What an editor does itself: leave, go on in another conversation, show; and the keys of a screen that it has not. */
const OF_THE_EDITOR: ReadonlySet<string> = new Set([
  ...["exit", "clear", "load", "rewind", "fork"],
  ...["think", "fullcontent", "raw", "keys"],
]);

/** Whether a command is one for an editor. */
export function isHere({ name, needsScreen }: Pick<Command, "name" | "needsScreen">): boolean {
  return needsScreen !== true && !OF_THE_EDITOR.has(name);
}

/** All of them, as the protocol announces commands. */
export function announced(commands: readonly Command[]): SessionUpdate {
  return {
    sessionUpdate: "available_commands_update",
    availableCommands: commands.filter(isHere).flatMap(({ name, usage }) => {
      const [first] = usage;
      if (first === undefined) return [];
      const hint = first.form.replace(/^\/\S+\s*/, "");
      return [{
        name,
        description: first.brief,
        ...(hint === "" ? {} : { input: { hint } }),
      }];
    }),
  };
}

/** What a command printed: several lines are a table or a list, which an editor must not set anew. */
export function resultText(text: string): ContentBlock {
  return textBlock(text.includes("\n") ? `\n~~~\n${text}\n~~~\n` : `${text}\n`);
}
