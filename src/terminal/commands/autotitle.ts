/** `/autotitle`: whether the model names each new session. */
import { defineSwitch } from "@/terminal/switch_command.ts";

export const autotitle = defineSwitch({
  name: "autotitle",
  setting: "AUTO_TITLE",
  brief: "Let the model name a new session after its first exchange",
  what: "new sessions are named by the model",
});
