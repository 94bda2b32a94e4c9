/** The question about one call, and what the answer decides: a person may also have made it another call. */
import type { Sink } from "@/protocol/event.ts";
import type {
  Approval,
  Approver,
  Decision,
  Guard,
  GuardedCall,
  PathResolver,
  Reach,
} from "@/protocol/policy.ts";
import { describe } from "@/lib/describe.ts";
import { isObject } from "@/lib/json.ts";
import { decisionOf, firstAnswer, guardDeny } from "./decide.ts";
import { editedDecision } from "./edited_call.ts";
import { movedSince, type Prepared } from "./guarded_call.ts";
import { INTERRUPTED_BEFORE } from "./notes.ts";
import type { ReadyCall } from "./ready_call.ts";
import { ShownChange } from "./shown_change.ts";

export type QuestionParts = {
  guards: readonly Guard[];
  approver: Approver;
  resolvePath: PathResolver;
  /** What an "always" about this call could cover. */
  reachesOf(call: GuardedCall): readonly Reach[];
  /** Remember an "always". */
  remember(approval: Extract<Approval, { answer: "always" }>): Promise<void>;
  emit: Sink;
};

/** What is asked: `question` is why, and `remake` makes the call ready with other arguments. */
export type Asked = {
  prepared: Extract<Prepared, { kind: "call" }>;
  question: Decision;
  remake(input: unknown): Promise<ReadyCall | { problem: string }>;
};

/** What was answered; with `edited`, the call that the person wrote stands in the place of the one they were asked about. */
export type Answered = { decision: Decision; edited?: ReadyCall & { text: string } };

/** Put it. An approver that breaks, or is interrupted, has not said yes. */
export async function putQuestion(
  asked: Asked,
  parts: QuestionParts,
  signal: AbortSignal,
): Promise<Answered> {
  const { prepared, question } = asked;
  const shown = new ShownChange(prepared.call);
  try {
    const reaches = parts.reachesOf(prepared.call);
    const approval = await parts.approver(shown.call, question.reason, reaches, signal);
    if (approval.answer === "yes" && approval.instead !== undefined) {
      return await edited(approval.instead, asked, parts.guards);
    }
    // An answer takes time; what was asked about may have become another place, or another change, meanwhile.
    const otherwise = await movedSince(prepared, parts.resolvePath) ??
      (approval.answer === "yes" ? await shown.otherwise() : undefined);
    if (otherwise !== undefined) return { decision: guardDeny(otherwise) };
    if (approval.answer === "always") await remember(approval, parts);
    return { decision: decisionOf(approval, question) };
  } catch (error) {
    if (signal.aborted) return { decision: guardDeny(INTERRUPTED_BEFORE) };
    return { decision: guardDeny(`the question could not be put: ${describe(error)}`) };
  }
}

/** The person wrote what is to run: they need not be asked about it, but every refusal stands. */
async function edited(
  text: string,
  { prepared: { call: { editable, input } }, remake }: Asked,
  guards: readonly Guard[],
): Promise<Answered> {
  if (editable === undefined || !isObject(input)) throw new Error("this call cannot be changed");
  const ready = await remake({ ...input, [editable]: text });
  if ("problem" in ready) throw new Error(ready.problem);
  const { prepared } = ready;
  const decision = prepared.kind === "refused"
    ? guardDeny(prepared.reason)
    : editedDecision(await firstAnswer(guards, prepared.call));
  return { decision, edited: { ...ready, text } };
}

async function remember(
  approval: Extract<Approval, { answer: "always" }>,
  parts: QuestionParts,
): Promise<void> {
  try {
    await parts.remember(approval);
  } catch (error) {
    const text = `"Always" could not be saved (${
      describe(error)
    }); this call goes on, the next will ask again`;
    parts.emit({ type: "notice", level: "warn", text });
  }
}
