/** A time as a part of a file's name: no system takes a colon everywhere. */

/** `2026-01-02T030405Z`. */
export function nameTime(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, "Z").replaceAll(":", "");
}
