/** Waiting for what has to come. */

/** How long a test waits for it. Only a failure waits so long; a machine with much else to do may be slow. */
export const PATIENCE_MS = 60_000;

/** Asks every 10 ms until it is so; throws when it does not come to be. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!await isSo()) {
    if (performance.now() > end) throw new Error(`Not so within ${PATIENCE_MS} ms: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
