/** A price that the person gives a model, as `PROVIDER/MODEL=INPUT/OUTPUT[/CACHE READ[/CACHE WRITE]]`. */

/** Dollars per million tokens. */
export type PriceEntry = {
  /** `PROVIDER/MODEL`. */
  name: string;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
};

/** Undefined for what is none. What is not given of the cache costs what input costs. */
export function priceEntry(text: string): PriceEntry | undefined {
  const at = text.lastIndexOf("=");
  const name = text.slice(0, Math.max(0, at)).trim();
  const prices = text.slice(at + 1).split("/").map((part) => part.trim());
  if (!/^[^/\s]+\/\S+$/.test(name) || prices.length < 2 || prices.length > 4) return undefined;
  if (!prices.every((price) => /^\d+(\.\d+)?$/.test(price))) return undefined;
  const [input = 0, output = 0, cacheRead = input, cacheWrite = input] = prices.map(Number);
  return { name, input, output, cacheRead, cacheWrite };
}

/** The person's price of a model, where they gave one. */
export function ownPrice(entries: readonly string[], name: string): PriceEntry | undefined {
  return entries.map(priceEntry).findLast((entry) => entry?.name === name);
}
