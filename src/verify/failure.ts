/** What of a failing check is shown, and what makes two failures the same. */
import { endOf } from "@/lib/clip.ts";
import { plainText } from "@/lib/plain_text.ts";

/** Less is not worth reading, in characters. */
const SHOWN_CHARS_MIN = 200;

/** The end of an output, where failures are written down: the last `charsMax` characters, colours removed. */
export function shownTail(output: string, charsMax: number): string {
  return endOf(plainText(output).trimEnd(), Math.max(SHOWN_CHARS_MIN, charsMax));
}

/**
 * What a failure is, whatever differs between two runs of it: durations, times, addresses, temporary paths, process ids,
 * ports, line numbers (an edit above moves them) and the order of the lines. Where a runner marks the lines that say what
 * failed, only those count.
 */
export function failureKey(output: string): string {
  const lines = plainText(output).split("\n").map(normalised).filter((line) => line !== "");
  const marked = lines.filter((line) => PYTEST_ERROR.test(line));
  return (marked.length > 0 ? marked : lines).sort().join("\n");
}

/** `E   assert 3 == 4`, and the short summary. */
const PYTEST_ERROR = /^(E {2,}\S|(FAILED|ERROR) \S+)/;

function normalised(line: string): string {
  return VARYING.reduce((text, [pattern, by]) => text.replace(pattern, by), line)
    .replace(/[ \t]+/g, (blank) => blank.length > 2 ? "   " : blank).trim();
}

const NUMBER = String.raw`\d+(?:[.,:]\d+)*`;

const VARYING: readonly (readonly [RegExp, string])[] = [
  [/\b0x[\da-f]+\b/gi, "#address"],
  [/\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/gi, "#id"],
  // Temporary places, whatever is under them up to the last name.
  [
    /(?:\/private)?(?:\/var\/folders\/[\w+]+\/[\w+]+\/T|\/var\/tmp|\/tmp|\/dev\/shm)\/(?:[^\s:'"()<>,]*\/)?/g,
    "#tmp/",
  ],
  [/\b(tmp|temp)[\w-]{6,}/gi, "#tmp"],
  [/[A-Z]:\\Users\\[^\\]+\\AppData\\Local\\Temp\\[^\s:'"()<>,]*/gi, "#tmp"],
  [/\bpytest-\d+\b/g, "pytest-#"],
  // Dates and times of day before durations: they have colons too.
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?/g, "#time"],
  [/\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b/g, "#time"],
  [/\b\d{1,2}:\d\d[.,]\d+\b/g, "#time"],
  // What was reached in that time, and what it took.
  [/\b\d{1,12}(?:\.\d{1,12})? \w{1,20}\/s\b/g, "#rate"],
  [/\b(memory(?: usage)?: ?)\d+(?:\.\d+)? ?[kmg]?i?b\b/gi, "$1#"],
  [
    new RegExp(
      `\\b(?:${NUMBER}e-?\\d+|${NUMBER})\\s?(?:ns|us|µs|ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\\b`,
      "gi",
    ),
    "#t",
  ],
  [/\b((?:duration|time|elapsed|took)(?:_ms|_s)?["']?\s*[:=]?\s*)\d+(?:\.\d+)?/gi, "$1#t"],
  [/#t(?: #t)+/g, "#t"],
  [/\(cached\)/g, "#t"],
  // What Gradle had to do for it.
  [/ (?:UP-TO-DATE|FROM-CACHE)$/, ""],
  [/^\d+ actionable tasks?:.*/, "#tasks"],
  [/\b((?:127\.0\.0\.1|localhost|0\.0\.0\.0|\[::1?\])):\d+/g, "$1:#"],
  [/\b(pid|process|goroutine|thread|port|seed|worker|node:|gw)([ =:#-]*)\d+/gi, "$1$2#"],
  [/(thread '[^']*') \(\d+\)/g, "$1"],
  [/\[ *\d+%\]/g, "#%"],
  // Places: file:12:7, line 12, file(12,7).
  [/(\.\w+):\d+(?::\d+)?/g, "$1:#"],
  [/\b(lines?) \d+/gi, "$1 #"],
  [/(\.\w+)\(\d+(?:,\d+)?\)/g, "$1(#)"],
];
