/** Times as the person's clock shows them: lists are read beside it, whatever a log keeps. */

/** `2026-11-30 08:46`, in local time. A text is ISO 8601; one that is no time stays as it is. */
export function localMinute(at: Date | string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${localClock(date)}`;
}

/** `08:46`, in local time. */
export function localClock(at: Date): string {
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
