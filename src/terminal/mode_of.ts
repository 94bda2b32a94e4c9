/** Which of the three modes a conversation is in: what may happen without a question. */
import type { CommandHost } from "./commands/spec.ts";
import type { Mode } from "./full/status.ts";

/** The mode that holds. */
export function modeOf({ automode, planmode }: Pick<CommandHost, "automode" | "planmode">): Mode {
  if (planmode.isOn()) return "plan";
  return automode.isOn() ? "auto" : "ask";
}
