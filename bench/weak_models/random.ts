/** Numbers that look random and are the same in every run, so that figures can be compared. */

/** From 0 to below 1, by a linear congruence (Numerical Recipes). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** One of the items. */
export function one<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError("Nothing to choose from");
  return item;
}

/** `count` of the items, each at most once, in a drawn order. */
export function drawn<T>(items: readonly T[], count: number, random: () => number): T[] {
  const left = [...items];
  const taken: T[] = [];
  while (taken.length < count && left.length > 0) {
    taken.push(...left.splice(Math.floor(random() * left.length), 1));
  }
  return taken;
}
