/** What was thrown, in its own words, for the model or the person. */
export function describe(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
