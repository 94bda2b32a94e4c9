/** Waiting with a bound. */

/** Whether a promise settles within `ms` milliseconds. The timer does not outlive the answer. */
export async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), ms);
      const settled = () => resolve(true);
      promise.then(settled, settled);
    });
  } finally {
    clearTimeout(timer);
  }
}

/** How long interrupted work may take to stop by itself before it is given up. */
const STOP_GRACE_MS = 150;

/** What work comes to; or `instead()`, when it has not stopped soon after the signal. Throws what the work throws. */
export async function orGivenUp<T>(
  work: Promise<T>,
  signal: AbortSignal,
  instead: () => T,
): Promise<T> {
  const gaveUp = Promise.withResolvers<T>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onAbort = () => {
    timer = setTimeout(() => gaveUp.resolve(instead()), STOP_GRACE_MS);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, gaveUp.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    clearTimeout(timer);
  }
}
