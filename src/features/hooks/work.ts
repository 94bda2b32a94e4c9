/** The moments of a turn at which programs are run, and what becomes of their answers. */
import type { FeatureParts, FeatureWork } from "@/compose/feature.ts";
import { strictest } from "@/agent/guards/judges.ts";
import { callInput } from "@/hooks/call_input.ts";
import type { HookInput } from "@/hooks/event.ts";
import { systemNote } from "@/lib/tool_result.ts";
import type { Event } from "@/protocol/event.ts";
import type { Part } from "@/protocol/message.ts";
import type { Decision, GuardedCall } from "@/protocol/policy.ts";
import type { ToolResult } from "@/protocol/tool.ts";
import { judged } from "./judged.ts";
import type { Heard, HookRounds } from "./rounds.ts";

/** How often programs may keep one turn from ending. */
const CONTINUED_MAX = 3;
/** What the end of a conversation waits for programs. */
const END_MS_MAX = 3_000;

type WorkParts = Pick<FeatureParts, "conversation" | "isInteractive"> & {
  live: Pick<FeatureParts["live"], "emit" | "harness">;
};

/** One for a conversation. */
export class HookWork {
  readonly #rounds: HookRounds;
  readonly #parts: WorkParts;
  /** Said already in this conversation. */
  readonly #told = new Set<string>();
  /** For the model, with the next request. */
  #texts: string[] = [];
  /** Why this turn is not to go on. */
  #stop: string | undefined;
  #continued = 0;
  #signal: AbortSignal | undefined;
  #isStarted = false;

  constructor(rounds: HookRounds, parts: WorkParts) {
    this.#rounds = rounds;
    this.#parts = parts;
  }

  work(): FeatureWork {
    return {
      judges: [(call) => this.#judge(call)],
      said: (content, signal) => this.#said(content, signal),
      mayGoOn: () => Promise.resolve(this.#mayGoOn()),
      hooks: [{
        name: "hooks",
        beforeRequest: (signal) => this.#beforeRequest(signal),
        afterTool: (call, result, signal) => this.#afterTool(call, result, signal),
        beforeStop: (signal) => this.#beforeStop(signal),
      }],
      sink: (event) => this.#take(event),
    };
  }

  /** The conversation ends. */
  async end(): Promise<void> {
    if (!this.#isStarted) return;
    const input = { hook_event_name: "SessionEnd", reason: "other" } as const;
    await this.#run(input, { timeoutMsMax: END_MS_MAX });
  }

  async #judge(call: GuardedCall): Promise<Decision | undefined> {
    const told = callInput(call);
    const heard = await this.#rounds.run({ hook_event_name: "PreToolUse", ...told }, {
      signal: this.#signal,
    });
    for (const one of heard) {
      this.#note(one);
      if (one.answer.kind === "broken" && one.program.onError === "allow") this.#failed(one);
    }
    return strictest(heard.map((one) => judged(one, told)));
  }

  async #said(content: readonly Part[], signal: AbortSignal): Promise<readonly Part[]> {
    this.#signal = signal;
    await this.#start();
    const prompt = content.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n");
    const heard = await this.#run({ hook_event_name: "UserPromptSubmit", prompt }, { signal });
    for (const one of heard) {
      const reason = refusalOf(one);
      if (reason === undefined) continue;
      this.#stop = `${one.name} held the message back: ${reason}`;
      return [{
        type: "text",
        text: systemNote("A message of the user's was held back by a hook of theirs."),
      }];
    }
    this.#tell(heard, "says of the user's message");
    return content;
  }

  #mayGoOn(): boolean {
    if (this.#stop === undefined) return true;
    this.#notice("warn", `The turn is over: ${this.#stop}`);
    this.#stop = undefined;
    return false;
  }

  async #beforeRequest(signal: AbortSignal): Promise<string | undefined> {
    this.#signal = signal;
    await this.#start();
    const texts = this.#texts.splice(0);
    return texts.length === 0 ? undefined : texts.join("\n\n");
  }

  async #afterTool(call: GuardedCall, result: ToolResult, signal: AbortSignal): Promise<void> {
    if (result.status !== "ok" && result.status !== "failed") return;
    const isOk = result.status === "ok";
    const heard = await this.#run({
      hook_event_name: isOk ? "PostToolUse" : "PostToolUseFailure",
      ...callInput(call),
      tool_response: {
        success: isOk,
        status: result.status,
        text: result.text,
        ...(call.subject.kind === "command" && { stdout: result.text, stderr: "" }),
        ...(result.changed !== undefined && { filePath: result.changed[0] }),
      },
    }, { signal });
    const about = `says after your call of ${call.tool.name}`;
    for (const one of heard) {
      const reason = refusalOf(one);
      if (reason !== undefined) this.#texts.push(noteOf(one, about, reason));
    }
    this.#tell(heard, about);
  }

  async #beforeStop(signal: AbortSignal): Promise<string | undefined> {
    const heard = await this.#run({
      hook_event_name: "Stop",
      stop_hook_active: this.#continued > 0,
      last_assistant_message: this.#answer(),
    }, { signal });
    const held = heard.flatMap((one) => {
      const reason = isStop(one) ? undefined : refusalOf(one);
      return reason === undefined ? [] : [{ one, reason }];
    });
    const [first] = held;
    if (first === undefined) return undefined;
    this.#continued += 1;
    if (this.#continued > CONTINUED_MAX) {
      const text = `${first.one.name} has kept the turn from ending ${CONTINUED_MAX} times; ` +
        "it ends now";
      this.#notice("warn", text);
      return undefined;
    }
    return held.map(({ one, reason }) => noteOf(one, "does not let the turn end", reason))
      .join("\n\n");
  }

  /** The first time that something is said or asked. */
  async #start(): Promise<void> {
    await this.#tellFiles();
    if (this.#isStarted) return;
    this.#isStarted = true;
    const source = this.#parts.conversation.isResumed ? "resume" : "startup";
    const heard = await this.#run({ hook_event_name: "SessionStart", source }, {
      signal: this.#signal,
    });
    this.#tell(heard, "says at the start of the session");
  }

  async #tellFiles(): Promise<void> {
    const { problems, waiting } = await this.#rounds.found();
    for (const problem of problems) this.#once(problem);
    // In a terminal the person was asked before the first prompt.
    for (const label of this.#parts.isInteractive ? [] : waiting) {
      this.#once(
        `Hooks of ${label} are not run: the project's file is not trusted as it is now; ` +
          "/trust shows what it would do",
      );
    }
  }

  #take(event: Event): void {
    if (event.type !== "turn_end") return;
    this.#stop = undefined;
    this.#signal = undefined;
    this.#continued = 0;
    this.#texts = [];
    this.#rounds.expire();
  }

  /** Run them, and say what failed. */
  async #run(
    input: HookInput,
    options: Parameters<HookRounds["run"]>[1],
  ): Promise<readonly Heard[]> {
    const heard = await this.#rounds.run(input, options);
    if (options?.signal?.aborted) return [];
    for (const one of heard) {
      this.#note(one);
      if (one.answer.kind === "broken") this.#failed(one);
    }
    return heard;
  }

  #note(one: Heard): void {
    const { answer, name } = one;
    if (answer.kind !== "said") return;
    if (answer.said.message !== "") this.#notice("info", `${name}: ${answer.said.message}`);
    if (isStop(one)) {
      this.#stop ??= `${name} ended it${answer.said.reason && `: ${answer.said.reason}`}`;
    }
  }

  #failed({ program, name, answer }: Heard): void {
    if (answer.kind === "broken") this.#once(`${name} failed at ${program.event}: ${answer.why}`);
  }

  #tell(heard: readonly Heard[], about: string): void {
    for (const one of heard) {
      const { answer } = one;
      if (answer.kind !== "said" || answer.said.context === "") continue;
      this.#texts.push(noteOf(one, about, answer.said.context));
    }
  }

  #answer(): string {
    const last = this.#parts.live.harness.messages().findLast(({ role }) => role === "assistant");
    if (last?.role !== "assistant") return "";
    return last.content.flatMap((block) => block.type === "text" ? [block.text] : []).join("");
  }

  #once(text: string): void {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.#notice("warn", text);
  }

  #notice(level: "info" | "warn", text: string): void {
    this.#parts.live.emit({ type: "notice", level, text, about: "hooks" });
  }
}

function isStop({ answer }: Heard): boolean {
  return answer.kind === "said" && answer.said.isStop;
}

/** Why a program does not want what has happened, or is to happen. */
function refusalOf({ answer }: Heard): string | undefined {
  if (answer.kind === "blocked") return answer.reason;
  if (answer.kind !== "said") return undefined;
  const { permission, isStop, reason } = answer.said;
  return permission === "deny" || isStop ? reason || "it gave no reason" : undefined;
}

/** Every line is marked: whatever it printed, it does not pass for a word of ours. */
function noteOf({ name }: Heard, about: string, text: string): string {
  const lines = text.split("\n").map((line) => `| ${line}`).join("\n");
  return systemNote(`The user's ${name} ${about}:\n${lines}`);
}
