/** The version of this program; deno.json says the same (a test compares them). */
export const VERSION = "0.1.0";
