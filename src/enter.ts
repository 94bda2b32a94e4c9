/** How a person comes in: the right screen first, then everything else. */
import type { MakeView } from "./converse.ts";
import type { RunOptions } from "./options.ts";
import { screenMode } from "./terminal/full/mode.ts";

/** `harness` without a subcommand; resolves to the exit code. Without a view there is no full screen. */
export async function enter(run: RunOptions, makeView?: MakeView): Promise<number> {
  const isOnce = run.print !== undefined || run.output !== undefined;
  if (makeView !== undefined && !isOnce && modeOf(run) === "full") {
    return await enterFull(run, makeView);
  }
  const { start } = await import("./start.ts");
  return await start(run);
}

function modeOf(run: RunOptions) {
  return screenMode({
    isInTerminal: Deno.stdin.isTerminal(),
    isOutTerminal: Deno.stdout.isTerminal(),
    isPlainAsked: run.plain === true,
    env: (name) => Deno.env.get(name),
  });
}

async function enterFull(run: RunOptions, makeView: MakeView): Promise<number> {
  const { openFull } = await import("./full_open.ts");
  using opened = openFull((name) => Deno.env.get(name));
  const [{ converse }, { findPlace }] = await Promise.all([
    import("./converse.ts"),
    import("./place.ts"),
  ]);
  return await converse(run, await findPlace(run), { full: { opened, makeView } });
}
