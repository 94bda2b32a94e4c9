/** The screen of a subcommand that has a question: lines, and the terminal's own editing. */
import { palette } from "@/terminal/color.ts";
import { PlainScreen } from "@/terminal/plain.ts";
import { stdout } from "@/terminal/process.ts";

/** Make it; whoever does closes it. */
export function plainScreen(): PlainScreen {
  return new PlainScreen({
    input: Deno.stdin.readable,
    write: stdout,
    setRaw: (on) => Deno.stdin.setRaw(on),
    paint: palette(false),
    showsThinking: () => false,
  });
}
