/** What this program is. A built one has other contents here: its version names the commit. */

/** deno.json says the same (a test compares them); "0.1.0+1a2b3c4d5e" in a built program. */
export const VERSION = "0.1.0";

/** How this copy came here: a checkout, the single file, the npm package, or what `deno compile` made. */
export type Way = "sources" | "file" | "npm" | "compiled";

export const WAY: Way = "sources";
