/** A call that a judge wants made with other arguments: made ready again, so that all is decided and shown of those. */
import type { Event } from "@/protocol/event.ts";
import type { Change, Decision, GuardedCall } from "@/protocol/policy.ts";
import type { ToolResult, ToolSpec } from "@/protocol/tool.ts";
import { clipEnd } from "@/lib/clip.ts";
import type { MakeReady, ReadyCall } from "./ready_call.ts";

const INPUT_CHARS_MAX = 4_000;

/** Who may want other arguments for a call. */
export type Changes = { changeOf(call: GuardedCall): Promise<Change | undefined> };

/** The call that is decided about and runs; `change` where it is not the model's. */
export type WantedCall = ReadyCall & { change?: Change };

/** Make a call ready, as the model wants it or as a judge does; or say what is wrong with the arguments. */
export async function asWanted(
  input: unknown,
  make: MakeReady,
  { changeOf }: Changes,
): Promise<WantedCall | { problem: string }> {
  const ready = await make(input);
  if ("problem" in ready || ready.prepared.kind === "refused") return ready;
  const change = await changeOf(ready.prepared.call);
  if (change === undefined) return ready;
  const made = await make(change.input, { insteadOf: ready.prepared.call });
  if ("problem" in made) return { problem: `${made.problem}\n${change.by} has changed them` };
  return { ...made, change };
}

/** What the person is told of it, whether they are asked about the call or not. */
export function changeNotice({ name }: ToolSpec, { by, input }: Change): Event {
  const text = `${by} has changed a call of ${name}: ${shown(input)}`;
  return { type: "notice", level: "info", text, about: "hooks" };
}

/** The question says it as well: what is asked about is not what the model wanted. */
export function changedQuestion(question: Decision, change: Change | undefined): Decision {
  if (change === undefined) return question;
  return { ...question, reason: `${question.reason}; ${change.by} has changed it` };
}

/** The result, with what ran in front of it: the model asked for something else. `isEdited`: by the person, in its turn. */
export function changedResult(
  result: ToolResult,
  change: Change | undefined,
  { isEdited }: { isEdited: boolean },
): ToolResult {
  if (change === undefined) return result;
  const isUndone = result.status === "denied" || result.status === "not_run";
  const did = isEdited ? "was asked about" : isUndone ? "was to run" : "ran";
  const text = `${change.by} has changed the call; what ${did} instead: ${shown(change.input)}`;
  return { ...result, text: `${text}\n${result.text}` };
}

function shown(input: Record<string, unknown>): string {
  return clipEnd(JSON.stringify(input), INPUT_CHARS_MAX);
}
