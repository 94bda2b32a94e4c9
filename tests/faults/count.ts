/** How much of a fault suite is run: a little in `deno task test`, all of it in `deno task faults`. */

/** Whether this is the long form. */
export const IS_FULL = Deno.args.includes("--full");

/** How often something is tried: `few` times, `many` in the long form, or what `--kills=N` says. */
export function times(few: number, many: number): number {
  const asked = Deno.args.find((arg) => arg.startsWith("--kills="))?.slice("--kills=".length);
  return asked === undefined ? (IS_FULL ? many : few) : Number(asked);
}
