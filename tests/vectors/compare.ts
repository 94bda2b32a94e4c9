/** Whether an outcome is what a vector expects, looking only at the keys that the vector has. */

/** One key that is not as expected. */
export type Difference = { key: string; actual: unknown; expected: unknown };

/** A key whose name says how to compare; every other key is compared whole. */
const BY_NAME: readonly [name: RegExp, holds: (actual: unknown, expected: unknown) => boolean][] = [
  // The actual value is the text itself. (Lists under this name are compared whole: the names found in a message.)
  [/(^|_)mentions$/, (text, words) => isText(text) ? includesAll(text, words) : same(text, words)],
  [
    /(^|_)starts(_with)?$/,
    (text, start) => isText(text) && isText(start) ? text.startsWith(start) : same(text, start),
  ],
  [/^ends_with$/, (text, end) => isText(text) && isText(end) && text.endsWith(end)],
  [/_max$|_within_s$/, (n, limit) => isNumber(n) && isNumber(limit) && n <= limit],
  [/_min$/, (n, limit) => isNumber(n) && isNumber(limit) && n >= limit],
  [/_at_least$/, (list, least) =>
    Array.isArray(list) && Array.isArray(least) &&
    least.every((wanted) => list.some((item) => same(item, wanted)))],
];

/** The keys of `expected` that `actual` does not meet; empty means that the vector passed. */
export function differences(
  actual: unknown,
  expected: Readonly<Record<string, unknown>>,
): Difference[] {
  const outcome: Readonly<Record<string, unknown>> = typeof actual === "object" && actual !== null
    ? { ...actual }
    : {};
  return Object.entries(expected).flatMap(([key, wanted]) => {
    const holds = BY_NAME.find(([name]) => name.test(key))?.[1] ?? same;
    return holds(outcome[key], wanted) ? [] : [{ key, actual: outcome[key], expected: wanted }];
  });
}

/** Deep equality. A number with decimals is compared to as many decimals as the vector gives. */
function same(actual: unknown, expected: unknown): boolean {
  if (isNumber(actual) && isNumber(expected)) {
    const decimals = String(expected).split(".")[1]?.length ?? 0;
    return decimals === 0 ? actual === expected : Number(actual.toFixed(decimals)) === expected;
  }
  if (Array.isArray(actual) && Array.isArray(expected)) {
    return actual.length === expected.length &&
      actual.every((item, index) => same(item, expected[index]));
  }
  if (isPlain(actual) && isPlain(expected)) {
    const keys = Object.keys(actual).filter((key) => actual[key] !== undefined);
    return keys.length === Object.keys(expected).length &&
      keys.every((key) => Object.hasOwn(expected, key) && same(actual[key], expected[key]));
  }
  return Object.is(actual, expected);
}

function includesAll(text: string, words: unknown): boolean {
  return Array.isArray(words) && words.every((word) => isText(word) && text.includes(word));
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
