/** Commands: the tools that run them, `/ps`, and what the screen says of those that live. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import { psPart } from "@/lend/ps.ts";
import { clipEnd } from "@/lib/clip.ts";

const COMMAND_CHARS_SHOWN = 40;

/** Make it. */
export function shell(
  { programs, settings }: Pick<FeatureParts, "programs" | "settings">,
): Feature<"ps"> {
  return {
    name: "shell",
    lend: { ps: psPart(programs) },
    work: async () => {
      const { commandTools } = await import("@/tools/mod.ts");
      const outputCharsMax = () => settings.current.CMD_OUTPUT_CHARS;
      return { tools: commandTools({ shell: programs.shell, outputCharsMax }) };
    },
    alive: async () => {
      const sessions = await programs.shell.list();
      return sessions.filter(({ state }) => state !== "ended").map(({ session, command }) => ({
        name: session,
        detail: clipEnd(command.replaceAll(/\s+/g, " ").trim(), COMMAND_CHARS_SHOWN),
      }));
    },
  };
}
