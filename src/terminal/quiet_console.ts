/** The program itself never prints by `console`; libraries do, into whatever is on the screen. */

/** Make whatever a library prints go nowhere. What concerns the person comes as an error or a result. */
export function quietConsole(): void {
  const nowhere = () => {};
  for (const word of ["debug", "log", "info", "warn", "error", "trace", "table", "dir"] as const) {
    console[word] = nowhere;
  }
}
