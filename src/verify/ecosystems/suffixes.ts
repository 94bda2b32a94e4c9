/** Ends of names that several ecosystems share. */

/** JavaScript and TypeScript, and what is compiled to them. */
export const SCRIPTS: readonly string[] = [
  ...[".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts"],
  ...[".vue", ".svelte", ".astro"],
];

/** Languages of the Java machine. */
export const JVM: readonly string[] = [".java", ".kt", ".kts", ".scala", ".groovy"];
