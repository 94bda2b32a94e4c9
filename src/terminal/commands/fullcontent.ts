/** `/fullcontent`: whether files are shown whole. */
import { defineSwitch } from "@/terminal/switch_command.ts";

export const fullcontent = defineSwitch({
  name: "fullcontent",
  setting: "RETURN_ALL_FILE_CONTENT",
  brief: "Show files whole, or only their first FILE_MAX_DISPLAY_LENGTH characters",
  what: "files are shown whole",
});
