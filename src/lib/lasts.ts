/** Times by the wall clock, which is set forwards and backwards while a program runs. */

/**
 * Whether what began at `at` and lasts for `ms` still does. What began in the future does as little as what is over: the clock
 * was set back since, and nothing is known of it. All in milliseconds since 1970.
 */
export function lasts(at: number, { ms, now }: { ms: number; now: number }): boolean {
  return at <= now && now < at + ms;
}
