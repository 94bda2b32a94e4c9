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
