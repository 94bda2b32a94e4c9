/** What this program is. A built one has other contents here: its version names the commit. */

/** deno.json says the same (a test compares them); "0.1.0+1a2b3c4d5e" in a built program. */
export const VERSION = "0.1.0";

/** Whether this is the bundle of the single file, and not the source in a checkout. */
export const IS_BUILT: boolean = false;
