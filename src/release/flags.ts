/** How the launcher starts the program. */

/**
 * What the program may do, as under `task start` but for writing: where it may write is found at each start (scope.sh). The
 * launcher adds that it may not write to its own folder.
 */
export const PERMISSIONS: readonly string[] = [
  "--allow-read",
  "--allow-env",
  "--allow-net",
  "--allow-run",
  "--allow-sys=osRelease,osUptime,systemMemoryInfo,loadavg,cpus",
];

/** Nothing of the folder that the person stands in is read, and nothing is downloaded. */
const CLOSED: readonly string[] = [
  "--no-config",
  "--no-lock",
  "--no-remote",
  "--no-npm",
  "--no-prompt",
];

/**
 * How much V8 lets pile up before it cleans: with its own 16 MB a conversation of 2,000 calls in a window of 32k comes to
 * 220 MB, with 4 to 178, in the same time; with this a short run holds 2 to 4 MB less than with 4.
 */
const MEMORY = "--v8-flags=--max-semi-space-size=2";

const COMMON: readonly string[] = [
  "-q",
  ...CLOSED,
  "--unstable-worker-options",
  MEMORY,
  ...PERMISSIONS,
];

/** What a compiled program is made with: its flags are fixed before anybody knows the workspace. */
export const COMPILE_FLAGS: readonly string[] = [...COMMON, "--allow-write"];

/**
 * Between `deno run` and the entry point. Without the first, Deno reads every file that could ever be imported before the
 * first line runs (9 ms of our chunks, 25 of our sources); a compiled program needs them all to be found.
 */
export const RUN_FLAGS: readonly string[] = ["--unstable-lazy-dynamic-imports", ...COMMON];
