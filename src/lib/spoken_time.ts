/** Spans of time as a screen tells them, in as few cells as say it. */

/** How long something took: `4ms`, `1.9s`, `2m 5s`. `blank` parts number and unit, for lines that are read aloud. */
export function duration(ms: number, blank = ""): string {
  if (ms < 1000) return `${ms}${blank}ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)}${blank}s`;
  return elapsed(Math.round(ms / 1000) * 1000, blank);
}

/** For how long something goes on, in whole seconds. */
export function elapsed(ms: number, blank = ""): string {
  const seconds = Math.floor(ms / 1000);
  return seconds < 60
    ? `${seconds}${blank}s`
    : `${Math.floor(seconds / 60)}${blank}m ${seconds % 60}${blank}s`;
}

/** A wait before something is tried again: `0.5 s`, `12 s`. */
export function pause(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}
