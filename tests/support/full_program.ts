/**
 * The program with the full screen and the small view: what main.ts is, for tests of the screen. `--notices N` lets N
 * notices come in, ten a second, from the first frame on; `--fault FILE` lets it break once that file is there.
 */
import { existsSync } from "node:fs";
import { normalise } from "@/entry/argv.ts";
import type { RunOptions } from "@/compose/options.ts";
import { enter } from "@/entry/enter.ts";
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
  ...(args.includes("--sandbox-off") ? { sandbox: "off" } : {}),
  ...(model === undefined ? {} : { model }),
};

/** A view in which notices come in by themselves. */
class NoticesView extends SmallView {
  #left = Number(after("--notices") ?? 0);
  #isBegun = false;

  override tail(columns: number, rowsMax: number): readonly string[] {
    if (!this.#isBegun) this.#begin();
    return super.tail(columns, rowsMax);
  }

  override isAnimated(): boolean {
    return this.#left > 0 || super.isAnimated();
  }

  #begin(): void {
    this.#isBegun = true;
    const fault = after("--fault");
    if (fault !== undefined) {
      setInterval(() => {
        if (existsSync(fault)) throw new Error("broken for a test");
      }, 50);
    }
    const total = this.#left;
    const timer = setInterval(() => {
      if (this.#left <= 0) return clearInterval(timer);
      this.sink({
        type: "notice",
        level: "info",
        text: `notice ${total - this.#left} of ${total}`,
      });
      this.#left -= 1;
    }, 100);
  }
}

try {
  Deno.exit(await enter(run, () => Promise.resolve(new NoticesView())));
} catch (error) {
  stderr(errorText(error));
  Deno.exit(1);
}
