/** `harness` without a full screen: a conversation in the terminal, or one turn without. */
import { checkFilled, type RunOptions } from "@/compose/options.ts";
import { PersonError } from "@/protocol/error.ts";

/** Start with these options; resolves to the exit code. */
export async function start(run: RunOptions): Promise<number> {
  const isInteractive = run.print === undefined && Deno.stdin.isTerminal();
  const option = run.output === undefined ? "--output-schema" : "--output";
  if (isInteractive && (run.output ?? run.outputSchema) !== undefined) {
    throw new PersonError("usage", `${option} is for a run without a terminal`, 'Add -p "…"');
  }
  if (!isInteractive) {
    const { once } = await import("./once.ts");
    return await once(run);
  }
  checkFilled(run);
  const [{ converse }, { findPlace }] = await Promise.all([
    import("@/talk/converse.ts"),
    import("@/compose/place.ts"),
  ]);
  return await converse(run, await findPlace(run));
}
