/** What `/vm` is lent: the Python process. */
import type { Programs } from "@/compose/programs.ts";
import { ageText } from "@/lib/age_text.ts";
import type { VmPart } from "@/terminal/commands/lent/vm.ts";
import { done } from "@/terminal/commands/spec.ts";

/** Build it. */
export function vmPart({ vm }: Pick<Programs, "vm">): VmPart {
  return {
    status: () => {
      const { scratch, running } = vm.state();
      if (running === undefined) {
        return `No Python is running; the next run_python starts one in ${scratch}`;
      }
      const { python, isWrapped, ageS, snippets, names } = running;
      const where = isWrapped ? "inside the sandbox" : "not in a sandbox";
      const ran = snippets === 1 ? "1 snippet" : `${snippets} snippets`;
      return [
        `Python ${python.version} (${python.executable}), ${where}, up for ${
          ageText(ageS)
        }, ${ran}`,
        names.length === 0 ? "It remembers nothing" : `It remembers ${names.join(", ")}`,
        `It runs in ${scratch}`,
      ].join("\n");
    },
    reset: async () =>
      done(
        await vm.reset()
          ? "Everything that was defined is forgotten; the model is told with its next call"
          : "No Python is running, so there is nothing to forget",
      ),
    stop: async () =>
      done(
        await vm.stop()
          ? "The process was ended; the next run_python starts a new one"
          : "No Python is running",
      ),
  };
}
