/**
 * Property tests: `fast-check` with a seed that is the same in every run, so that a test that fails has failed for whoever
 * changed something. `deno task soak` tries seeds of its own; a failure prints the one that showed it.
 */
import fc from "fast-check";

const FIXED_SEED = 20_261_130;

/** Of the examples of a costly property, the part that a test run has time for. */
const SHARE = 1 / 4;

const asked = Deno.args.find((arg) => arg.startsWith("--seed="))?.slice("--seed=".length);
fc.configureGlobal({ seed: asked === undefined ? FIXED_SEED : Number(asked) });

/** Whether this run is a soak, which has time. */
export const IS_SOAK = asked !== undefined;

/** How often a costly property is tried: all `full` times in a soak, a quarter of them in a test run. */
export function runs(full: number): { numRuns: number } {
  return { numRuns: IS_SOAK ? full : Math.ceil(full * SHARE) };
}

export { fc };
