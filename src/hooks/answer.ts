/** What a program answered: by its exit code, and by JSON on its standard output. */
import * as z from "zod";
import { clipEnd } from "@/lib/clip.ts";
import { isObject, parsedJson } from "@/lib/json.ts";
import type { Finished } from "@/sandbox/processes.ts";
import type { HookEvent } from "./event.ts";

/** `broken`: it could not be run to its end, or its answer is none; the reason ends a sentence. */
export type Answer =
  | { kind: "said"; said: Said }
  | { kind: "blocked"; reason: string }
  | { kind: "broken"; why: string };

/** What was understood; absent is nothing said. */
export type Said = {
  permission?: "allow" | "deny" | "ask";
  /** The input that it would have the call made with. */
  instead?: Record<string, unknown>;
  reason: string;
  /** For the model. */
  context: string;
  /** For the person. */
  message: string;
  /** That nothing is to go on. */
  isStop: boolean;
};

/** What of its output is read as an answer, in bytes, and what of a text is passed on, in characters. */
export const ANSWER_BYTES_MAX = 1024 * 1024;
const TEXT_CHARS_MAX = 10_000;
const SHOWN_CHARS = 80;

/** The exit code that refuses. */
const BLOCKS = 2;

const answerSchema = z.looseObject({
  continue: z.boolean().optional(),
  stopReason: z.string().optional(),
  systemMessage: z.string().optional(),
  decision: z.enum(["block", "approve", "allow", "deny", "ask"]).optional(),
  reason: z.string().optional(),
  hookSpecificOutput: z.looseObject({
    hookEventName: z.string().optional(),
    permissionDecision: z.enum(["allow", "deny", "ask"]).optional(),
    permissionDecisionReason: z.string().optional(),
    updatedInput: z.record(z.string(), z.unknown()).optional(),
    decision: z.looseObject({
      behavior: z.enum(["allow", "deny"]),
      message: z.string().optional(),
      updatedInput: z.record(z.string(), z.unknown()).optional(),
      interrupt: z.boolean().optional(),
    }).optional(),
    additionalContext: z.string().optional(),
  }).optional(),
});

/** Read it. */
export function answerOf(event: HookEvent, finished: Finished): Answer {
  const { ended, code, stdout, stderr, signal, ms } = finished;
  switch (ended) {
    case "timed_out":
      return broken(`it was stopped after ${Math.round(ms / 1000)} s, with everything it started`);
    case "aborted":
      return broken("it was interrupted");
    case "signalled":
      return broken(`it was ended by ${signal ?? "a signal"}`);
    case "exited":
      break;
    default:
      ended satisfies never;
  }
  const heard = clipEnd(stderr.text().trim(), TEXT_CHARS_MAX);
  if (code === BLOCKS) return { kind: "blocked", reason: heard || "it gave no reason" };
  if (code !== 0) {
    return broken(`it ended with exit code ${code}${heard === "" ? "" : `: ${firstLine(heard)}`}`);
  }
  if (stdout.dropped > 0) return broken(`it printed ${stdout.bytes} bytes, too many for an answer`);
  return printed(event, stdout.text().trim());
}

function printed(event: HookEvent, text: string): Answer {
  if (text === "") return said({});
  const json = parsedJson(text);
  if (isObject(json)) return understood(event, json);
  switch (event) {
    case "SessionStart":
    case "UserPromptSubmit":
      // Plain text is something for the model to know.
      return said({ context: clipEnd(text, TEXT_CHARS_MAX) });
    case "PreToolUse":
      return broken(`it printed what is no JSON object: ${firstLine(text)}`);
    default:
      return said({});
  }
}

function understood(event: HookEvent, json: Record<string, unknown>): Answer {
  const read = answerSchema.safeParse(json);
  if (!read.success) {
    const [issue] = read.error.issues;
    return broken(`its answer is not understood (${issue?.path.join(".")}: ${issue?.message})`);
  }
  const { decision, reason, stopReason, systemMessage, hookSpecificOutput: own = {} } = read.data;
  if (own.hookEventName !== undefined && own.hookEventName !== event) {
    return broken(
      `it answered for ${JSON.stringify(own.hookEventName)} and was asked for ${event}`,
    );
  }
  const isStop = read.data.continue === false || own.decision?.interrupt === true;
  const permission = own.permissionDecision ?? own.decision?.behavior ??
    (decision === undefined ? undefined : OLD[decision]);
  const why = own.permissionDecisionReason ?? own.decision?.message ?? reason ??
    (isStop ? stopReason : undefined) ?? "";
  const instead = own.updatedInput ?? own.decision?.updatedInput;
  return said({
    ...(permission !== undefined && { permission }),
    ...(instead !== undefined && { instead }),
    reason: clipEnd(why, TEXT_CHARS_MAX),
    context: clipEnd(own.additionalContext ?? "", TEXT_CHARS_MAX),
    message: clipEnd(systemMessage ?? "", TEXT_CHARS_MAX),
    isStop,
  });
}

/** The words of an older form, and of other harnesses. */
const OLD = { block: "deny", deny: "deny", approve: "allow", allow: "allow", ask: "ask" } as const;

function said(parts: Partial<Said>): Answer {
  return {
    kind: "said",
    said: { reason: "", context: "", message: "", isStop: false, ...parts },
  };
}

function broken(why: string): Answer {
  return { kind: "broken", why };
}

function firstLine(text: string): string {
  return clipEnd(text.split("\n", 1)[0] ?? "", SHOWN_CHARS);
}
