/** A call as every screen speaks of it: by its tool, by the sentence that the tool has for it, and by why it failed. */
import type { Decision } from "@/protocol/policy.ts";
import type { ToolResult } from "@/protocol/tool.ts";
import { clipEnd } from "@/lib/clip.ts";

const NAME_CHARS_MAX = 64;
const CAUSE_CHARS_MAX = 400;

export type SpokenCall = {
  /** The tool; empty where what is done is no tool's. */
  name: string;
  /** What it does or did; empty where the tool has no words for it. */
  sentence: string;
};

/** `show` makes what is not ours a line that may stand on the screen. */
export function spokenCall(
  { name, summary }: { name: string; summary: string },
  show: (text: string) => string,
): SpokenCall {
  if (!/^\w/.test(name)) return { name: "", sentence: show(summary) };
  const own = summary === name
    ? ""
    : summary.startsWith(`${name}: `)
    ? summary.slice(name.length + 2)
    : summary;
  return { name: clipEnd(show(name), NAME_CHARS_MAX), sentence: show(own) };
}

/** What is said of calls that nothing came of because the program was ended; empty for none. */
export function endedCallsText(names: readonly string[]): string {
  if (names.length === 0) return "";
  const which = names.join(", ");
  return `the program was ended before a result of ${which} came; what it did is not known`;
}

/** Why a call came to nothing: the first line, and whether there is more to read. Undefined where it did not fail. */
export function causeOf(
  result: ToolResult | undefined,
  decision: Decision | undefined,
  show: (text: string) => string,
): { text: string; hasMore: boolean } | undefined {
  if (result?.status !== "failed" && result?.status !== "denied") return undefined;
  const text = result.status === "denied" && decision?.verdict === "deny"
    ? decision.reason
    : result.text;
  const [first = "", ...more] = text.trim().split("\n");
  return {
    text: clipEnd(show(more.length > 0 ? withoutLeadIn(first) : first), CAUSE_CHARS_MAX),
    hasMore: more.length > 0 || first.length > CAUSE_CHARS_MAX,
  };
}

/** The line without a last sentence that only announces the lines behind it, where another one stands before that. */
function withoutLeadIn(line: string): string {
  if (!line.endsWith(":")) return line;
  const end = line.lastIndexOf(". ");
  return end < 0 ? line : line.slice(0, end + 1);
}
