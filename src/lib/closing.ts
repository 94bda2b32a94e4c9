/** Using something once, and letting go of it whatever happens; where `using` would name it only once (see the lint rule). */

/** Run `use` and dispose of the resource then: when its promise has settled, if it gives one. */
export function closing<T extends Disposable, R>(resource: T, use: (resource: T) => R): R {
  let isPending = false;
  try {
    const result = use(resource);
    if (!(result instanceof Promise)) return result;
    isPending = true;
    return result.finally(() => resource[Symbol.dispose]()) as R;
  } finally {
    if (!isPending) resource[Symbol.dispose]();
  }
}
