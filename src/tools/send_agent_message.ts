/** Say something to another agent in the project, or to all of them. */
import * as z from "zod";
import { clipEnd } from "@/lib/clip.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import type { ChannelToolParts } from "./channel_parts.ts";
import { defineTool, denied, ok } from "./spec.ts";

const TEXT_CHARS_SHOWN = 60;

export const sendAgentMessage = (channel: ChannelToolParts): ToolSpec =>
  defineTool({
    name: "send_agent_message",
    description:
      "Say something to another agent in this project, or to all. Go on meanwhile: an answer arrives with a later request.",
    input: z.object({
      message: z.string().trim().min(1).describe("At most 2,000 characters"),
      to: z.string().default("all").describe("An agent, such as a2"),
    }),
    aliases: { message: ["text", "content"], to: ["agent", "recipient", "agent_id"] },
    otherNames: ["message_agent"],
    effect: () => "reads",
    subject: ({ message }) => ({ kind: "text", text: message }),
    summary: ({ message, to }, result) => {
      const text = clipEnd(message.replaceAll(/\s+/g, " "), TEXT_CHARS_SHOWN);
      if (result === undefined) return `message to ${to}: ${text}`;
      return result.status === "ok" ? `told ${to}: ${text}` : `did not reach ${to}: ${text}`;
    },
    async run({ message, to }) {
      const { ok: isSent, here, wasCut } = await channel.say(to, message);
      if (!isSent) {
        return denied(
          here.length === 0
            ? "Nothing was sent: no other agent is here"
            : `Nothing was sent: no agent is called "${to}"; here are ${here.join(", ")}`,
        );
      }
      const cut = wasCut ? " The end was cut off: send the rest in another one." : "";
      return ok(`Sent to ${to}.${cut} An answer arrives with a later request; do not wait for it.`);
    },
  });
