/** The approver and the asker of a session: the person answers in their editor. */
import type {
  ClientCapabilities,
  PermissionOption,
  RequestPermissionRequest,
  RequestPermissionResponse,
  ToolCallContent,
} from "@agentclientprotocol/sdk";
import { visible } from "@/lib/visible.ts";
import type { Approval, Approver, Asker, GuardedCall, Question, Reach } from "@/protocol/policy.ts";
import { callFacts } from "./call_facts.ts";
import { diffContent, shown, textBlock, verbatim } from "./content.ts";
import { type Elicit, elicit } from "./elicit.ts";

export type AskingParts = {
  sessionId: string;
  workspace: string;
  client: ClientCapabilities;
  /** Put the question; rejects when the client is gone, or does not know it. */
  permission(
    params: RequestPermissionRequest,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse>;
  elicit: Elicit;
  /** The client has called the turn off instead of answering. */
  onCancelled(): void;
  /** Told of each answer: a question may be about a call that the client knows only by it. */
  onAnswered(callId: string, isAllowed: boolean): void;
};

const ALLOW = "allow";
const REJECT = "reject";
const ALWAYS = "always-";

/** Make them. */
export function asking(parts: AskingParts): { approver: Approver; asker: Asker } {
  let questions = 0;
  return {
    approver: async (call, reason, reaches, signal) => {
      const approval = approvalOf(
        await answered(parts, {
          toolCall: await aboutCall(call, reason, parts),
          options: optionsFor(reaches),
        }, signal),
        reaches,
      );
      parts.onAnswered(call.id, approval.answer !== "no");
      return approval;
    },
    asker: async (asked, signal) => {
      const answers: string[] = [];
      for (const question of asked) {
        questions += 1;
        const answer = parts.client.elicitation?.form
          ? await elicit(question, { ...parts, signal })
          : await chosen(question, `question-${questions}`, { ...parts, signal });
        signal.throwIfAborted();
        if (answer === undefined) return undefined;
        answers.push(answer);
      }
      return answers;
    },
  };
}

type Put = Pick<RequestPermissionRequest, "toolCall" | "options">;

/** The option that was chosen; undefined when the client called the turn off. */
async function answered(
  { sessionId, permission, onCancelled }: AskingParts,
  put: Put,
  signal: AbortSignal,
): Promise<string | undefined> {
  signal.throwIfAborted();
  try {
    const { outcome } = await permission({ sessionId, ...put }, signal);
    signal.throwIfAborted();
    if (outcome.outcome === "selected") return outcome.optionId;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  onCancelled();
  return undefined;
}

async function aboutCall(
  call: GuardedCall,
  reason: string,
  { workspace }: AskingParts,
): Promise<Put["toolCall"]> {
  const { tool, input, id } = call;
  const { title, kind, locations } = callFacts(tool, { name: tool.name, input }, workspace);
  return {
    toolCallId: id,
    title: visible(title, { oneLine: true }),
    kind,
    status: "pending",
    locations,
    rawInput: input,
    content: [
      ...await whatChanges(call),
      shown(textBlock(`Why you are asked: ${reason}`)),
    ],
  };
}

/** The whole command, or the change as a diff; nothing of it is left out. */
async function whatChanges({ subject, preview }: GuardedCall): Promise<ToolCallContent[]> {
  const change = await preview?.();
  const path = subject.kind === "path" ? subject.paths.at(-1) : undefined;
  if (change !== undefined) {
    return path === undefined ? [verbatim(change, Infinity)] : diffContent(change, path);
  }
  if (subject.kind === "path") return [verbatim(subject.paths.join("\n"), Infinity)];
  if (subject.kind === "none" || subject.text === "") return [];
  return [verbatim(visible(subject.text, { oddSpaces: true }), Infinity)];
}

function optionsFor(reaches: readonly Reach[]): PermissionOption[] {
  return [
    { optionId: ALLOW, kind: "allow_once", name: "Allow once" },
    ...reaches.map(({ preview }, at) => ({
      optionId: `${ALWAYS}${at}`,
      kind: "allow_always" as const,
      name: `Always in this project: ${visible(preview, { oneLine: true })}`,
    })),
    { optionId: REJECT, kind: "reject_once", name: "Reject" },
  ];
}

/** Whatever is no option of ours is a no. */
function approvalOf(optionId: string | undefined, reaches: readonly Reach[]): Approval {
  if (optionId === ALLOW) return { answer: "yes" };
  const reach = optionId?.startsWith(ALWAYS) === true
    ? reaches[Number(optionId.slice(ALWAYS.length))]
    : undefined;
  if (reach !== undefined) return { answer: "always", reach, scope: "project" };
  return { answer: "no" };
}

/** A question with options, put as a permission; one that wants words alone cannot be put like that. */
async function chosen(
  { text, options }: Question,
  toolCallId: string,
  parts: AskingParts & { signal: AbortSignal },
): Promise<string | undefined> {
  if (options.length === 0) return undefined;
  const answer = await answered(parts, {
    toolCall: {
      toolCallId,
      title: visible(text.split("\n")[0] ?? "", { oneLine: true }),
      kind: "other",
      status: "pending",
      content: [shown(textBlock(text))],
    },
    options: options.map((option, at) => ({
      optionId: `option-${at}`,
      kind: /^(?:no|reject)\b/i.test(option) ? "reject_once" : "allow_once",
      name: visible(option, { oneLine: true }),
    })),
  }, parts.signal);
  const picked = answer?.startsWith("option-") === true
    ? options[Number(answer.slice("option-".length))]
    : undefined;
  parts.onAnswered(toolCallId, picked !== undefined);
  return picked;
}
