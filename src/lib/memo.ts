/** What is made of an object is made once and goes with it: for values that never change after they were made. */
export function memo<K extends WeakKey, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, { value: V }>();
  return (key) => {
    let known = made.get(key);
    if (known === undefined) made.set(key, known = { value: make(key) });
    return known.value;
  };
}
