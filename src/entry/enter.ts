/** How a person comes in: the right screen first, then everything else. */
import { checkFilled } from "@/compose/filled.ts";
import { closing } from "@/lib/closing.ts";
import type { Beginning, MakeView } from "@/talk/converse.ts";
import type { RunOptions } from "@/compose/options.ts";
import type { Place } from "@/compose/place.ts";
import { PersonError } from "@/protocol/error.ts";
import { screenMode } from "@/terminal/full/mode.ts";

/** `harness` without a subcommand; resolves to the exit code. `makeView` makes what shows the events on a full screen. */
export async function enter(run: RunOptions, makeView: MakeView = transcript): Promise<number> {
  if (run.print !== undefined || !Deno.stdin.isTerminal()) {
    const { once } = await import("./once.ts");
    return await once(run);
  }
  if ((run.output ?? run.outputSchema) !== undefined) {
    const option = run.output === undefined ? "--output-schema" : "--output";
    throw new PersonError("usage", `${option} is for a run without a terminal`, 'Add -p "…"');
  }
  checkFilled(run);
  return await onScreen(run, { makeView });
}

/** A conversation in a place that was made for it; `first` is said for the person. */
export async function enterAt(place: Place, run: RunOptions, first?: string): Promise<number> {
  return await onScreen(run, {
    makeView: transcript,
    place,
    ...(first !== undefined && { first }),
  });
}

/** Loaded when the screen stands. */
const transcript: MakeView = async (facts) => {
  const { makeView } = await import("@/talk/full_view.ts");
  return await makeView(facts);
};

type Entering = { makeView: MakeView; place?: Place; first?: string };

async function onScreen(run: RunOptions, { makeView, ...entering }: Entering): Promise<number> {
  const env = (name: string) => Deno.env.get(name);
  const mode = screenMode({
    isInTerminal: Deno.stdin.isTerminal(),
    isOutTerminal: Deno.stdout.isTerminal(),
    isPlainAsked: run.plain === true,
    env,
  });
  if (mode === "full") {
    const { openFull } = await import("@/talk/full_open.ts");
    const talked = (full: ReturnType<typeof openFull>) =>
      talk(run, { full: { opened: full, makeView }, ...entering });
    return await closing(openFull(env), talked);
  }
  const { openPlain } = await import("@/talk/plain_open.ts");
  const isPrompting = entering.first === undefined;
  return await closing(
    openPlain(env, { isPrompting }),
    (plain) => talk(run, { plain, ...entering }),
  );
}

async function talk(
  run: RunOptions,
  { place, ...beginning }: Beginning & Pick<Entering, "place">,
): Promise<number> {
  const [{ converse }, { findPlace }] = await Promise.all([
    import("@/talk/converse.ts"),
    import("@/compose/place.ts"),
  ]);
  return await converse(run, place ?? await findPlace(run), beginning);
}
