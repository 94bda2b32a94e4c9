/** Makes a thing when it is first asked for, and keeps it: for what a start may not need. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
