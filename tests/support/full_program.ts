/** The program with the full screen and the small view: what main.ts is, for tests of the screen. */
import { normalise, type RunOptions } from "@/options.ts";
import { enter } from "@/enter.ts";
import { errorText } from "@/terminal/error_text.ts";
import { stderr } from "@/terminal/process.ts";
import { SmallView } from "./small_view.ts";

const args = normalise(Deno.args);
const after = (flag: string) => args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined;
const model = after("-m");
const run: RunOptions = {
  plain: args.includes("--plain"),
  auto: args.includes("--auto"),
  continue: args.includes("-c"),
  ...(model === undefined ? {} : { model }),
};
try {
  Deno.exit(await enter(run, () => Promise.resolve(new SmallView())));
} catch (error) {
  stderr(errorText(error));
  Deno.exit(1);
}
