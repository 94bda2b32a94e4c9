/** JSON from outside: the questions that everybody asks of it. */

/** The value of a JSON text; undefined for a text that is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/** Where a text stops being JSON ("line 3 column 7"), without quoting it: the text may hold a key. */
export function jsonFaultPlace(error: SyntaxError): string | undefined {
  return /line \d+ column \d+/.exec(error.message)?.[0];
}

/** Whether two values are the same JSON, keys in the same order. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whether a value is an object that is no array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
