/** What a mode of the conversation is switched by. */
import type { Switch } from "@/terminal/commands/lent/switch.ts";

/** A switch for something that is on or off. */
export function switchOf(mode: { isOn: boolean }): Switch {
  return {
    isOn: () => mode.isOn,
    turn: (on) => {
      mode.isOn = on;
    },
  };
}
