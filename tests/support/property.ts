/**
 * Property tests: `fast-check` with a seed that is the same in every run, so that a test that fails has failed for whoever
 * changed something. `deno task soak` tries seeds of its own; a failure prints the one that showed it.
 */
import fc from "fast-check";

const FIXED_SEED = 20_261_130;

const asked = Deno.args.find((arg) => arg.startsWith("--seed="))?.slice("--seed=".length);
fc.configureGlobal({ seed: asked === undefined ? FIXED_SEED : Number(asked) });

export { fc };
