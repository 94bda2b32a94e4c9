/** A file of the person's own wish, where nothing is yet: in this process where it may write there, else by another one. */
import { basename, dirname, join } from "@/lib/path.ts";
import { randomHex } from "@/lib/random.ts";
import type { Processes } from "@/sandbox/processes.ts";
import { ChangedSince } from "./entry.ts";
import { moveTempName } from "./place.ts";
import { placingInside } from "./placing_inside.ts";

/** Write it. Throws Deno's own errors; AlreadyExists where something is there. */
export async function writeNewFile(
  path: string,
  text: string,
  { processes }: { processes: Pick<Processes, "run" | "ownPath"> },
): Promise<void> {
  try {
    return await Deno.writeTextFile(path, text, { createNew: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
  }
  const real = join(await Deno.realPath(dirname(path)), basename(path));
  try {
    await placingInside({ processes }).file(real, new TextEncoder().encode(text), {
      temp: moveTempName(randomHex(8), 0),
      look: () => Promise.resolve(undefined),
      mode: {},
    });
  } catch (error) {
    if (!(error instanceof ChangedSince)) throw error;
    throw new Deno.errors.AlreadyExists(`"${path}" is there already`);
  }
}
