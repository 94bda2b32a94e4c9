/** What an answer to PreToolUse or PermissionRequest says of a call. */
import { type CallInput, changedInput } from "@/hooks/call_input.ts";
import type { Decision } from "@/protocol/policy.ts";
import type { Heard } from "./rounds.ts";

/** The decision; undefined for nothing to say. A program that failed lets nothing pass, unless the person wants it so. */
export function judged({ program, name, answer }: Heard): Decision | undefined {
  switch (answer.kind) {
    case "broken":
      if (program.onError === "allow") return undefined;
      return by("ask", `${name} could not decide: ${answer.why}`);
    case "blocked":
      return by("deny", `${name} refused it: ${answer.reason}`);
    case "said": {
      const { permission, isStop, reason } = answer.said;
      const why = reason === "" ? "" : `: ${reason}`;
      if (isStop) return by("deny", `${name} ends the turn${why}`);
      if (permission === "deny") return by("deny", `${name} refused it${why}`);
      if (permission === "ask") return by("ask", `${name} asks${why}`);
      // A project's program may be a file that the model has written: it can only be stricter.
      if (permission !== "allow" || program.origin !== "person") return undefined;
      return by("allow", `${name} allows it${why}`);
    }
    default:
      return answer satisfies never;
  }
}

/** The input that it would have instead; undefined for the one that is there. */
export function wanted({ answer }: Heard, call: CallInput): Record<string, unknown> | undefined {
  if (answer.kind !== "said" || answer.said.instead === undefined) return undefined;
  return changedInput(answer.said.instead, call);
}

/** A decision of programs. */
export function by(verdict: Decision["verdict"], reason: string): Decision {
  return { verdict, by: "guard", reason };
}
