/** How a person comes in: the right screen first, then everything else. */
import { closing } from "@/lib/closing.ts";
import type { MakeView } from "@/talk/converse.ts";
import type { RunOptions } from "@/compose/options.ts";
import type { Place } from "@/compose/place.ts";
import { screenMode } from "@/terminal/full/mode.ts";

/** `harness` without a subcommand; resolves to the exit code. `makeView` makes what shows the events on a full screen. */
export async function enter(run: RunOptions, makeView: MakeView = transcript): Promise<number> {
  const isOnce = run.print !== undefined || run.output !== undefined ||
    run.outputSchema !== undefined;
  if (!isOnce && modeOf(run) === "full") return await enterFull(run, { makeView });
  const { start } = await import("./start.ts");
  return await start(run);
}

/** A conversation in a place that was made for it; `first` is said for the person. */
export async function enterAt(place: Place, run: RunOptions, first?: string): Promise<number> {
  if (modeOf(run) === "full") {
    return await enterFull(run, {
      makeView: transcript,
      place,
      ...(first !== undefined && { first }),
    });
  }
  const { converse } = await import("@/talk/converse.ts");
  return await converse(run, place, first === undefined ? {} : { first });
}

/** Loaded when the screen stands. */
const transcript: MakeView = async (facts) => {
  const { makeView } = await import("@/talk/full_view.ts");
  return await makeView(facts);
};

function modeOf(run: RunOptions) {
  return screenMode({
    isInTerminal: Deno.stdin.isTerminal(),
    isOutTerminal: Deno.stdout.isTerminal(),
    isPlainAsked: run.plain === true,
    env: (name) => Deno.env.get(name),
  });
}

async function enterFull(
  run: RunOptions,
  { makeView, place, first }: { makeView: MakeView; place?: Place; first?: string },
): Promise<number> {
  const { openFull } = await import("@/talk/full_open.ts");
  return await closing(openFull((name) => Deno.env.get(name)), async (opened) => {
    const [{ converse }, { findPlace }] = await Promise.all([
      import("@/talk/converse.ts"),
      import("@/compose/place.ts"),
    ]);
    return await converse(run, place ?? await findPlace(run), {
      full: { opened, makeView },
      ...(first !== undefined && { first }),
    });
  });
}
