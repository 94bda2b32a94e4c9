/** What an answer to PreToolUse decides about a call. */
import { clipEnd } from "@/lib/clip.ts";
import type { CallInput } from "@/hooks/call_input.ts";
import { ourInput } from "@/hooks/call_input.ts";
import type { Said } from "@/hooks/answer.ts";
import type { Decision } from "@/protocol/policy.ts";
import type { Heard } from "./rounds.ts";

const INSTEAD_CHARS_MAX = 4_000;

/** The decision; undefined for nothing to say. A program that failed lets nothing pass, unless the person wants it so. */
export function judged({ program, name, answer }: Heard, call: CallInput): Decision | undefined {
  switch (answer.kind) {
    case "broken":
      if (program.onError === "allow") return undefined;
      return by("ask", `${name} could not decide: ${answer.why}`);
    case "blocked":
      return by("deny", `${name} refused it: ${answer.reason}`);
    case "said":
      return decided(answer.said, { name, call, mayAllow: program.origin === "person" });
    default:
      return answer satisfies never;
  }
}

function decided(
  said: Said,
  { name, call, mayAllow }: { name: string; call: CallInput; mayAllow: boolean },
): Decision | undefined {
  const why = said.reason === "" ? "" : `: ${said.reason}`;
  if (said.isStop) return by("deny", `${name} ends the turn${why}`);
  if (said.permission === "deny") return by("deny", `${name} refused it${why}`);
  const instead = said.instead === undefined ? undefined : changed(said.instead, call);
  if (instead !== undefined) {
    const text = clipEnd(JSON.stringify(instead), INSTEAD_CHARS_MAX);
    return by("deny", `${name} lets it run with other input only${why}. Call it with ${text}`);
  }
  if (said.permission === "ask") return by("ask", `${name} asks${why}`);
  // A project's program may be a file that the model has written: it can only be stricter.
  if (said.permission === "allow" && mayAllow) return by("allow", `${name} allows it${why}`);
  return undefined;
}

/** What is to be other than it is; undefined for nothing. */
function changed(
  instead: Record<string, unknown>,
  { harness_tool: tool, tool_input: input }: CallInput,
): Record<string, unknown> | undefined {
  const [wanted, there] = [ourInput(tool, instead), ourInput(tool, input)];
  const keys = new Set([...Object.keys(wanted), ...Object.keys(there)]);
  const isSame = [...keys].every((key) =>
    JSON.stringify(wanted[key]) === JSON.stringify(there[key])
  );
  return isSame ? undefined : wanted;
}

function by(verdict: Decision["verdict"], reason: string): Decision {
  return { verdict, by: "guard", reason };
}
