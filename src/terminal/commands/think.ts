/** `/think`: whether a reasoning model's thinking is shown. */
import { defineSwitch } from "@/terminal/switch_command.ts";

export const think = defineSwitch({
  name: "think",
  setting: "SHOW_THINKING",
  brief: "Show or hide a reasoning model's thinking",
  what: "thinking is shown",
});
