/** Where programs join a conversation: its start and end, messages, calls, questions, its being shortened, sub-agents. */
import type { Beside, Ending, FeatureParts, FeatureWork, Shortening } from "@/compose/feature.ts";
import { systemNote } from "@/lib/tool_result.ts";
import type { Event } from "@/protocol/event.ts";
import type { Hook } from "@/protocol/hook.ts";
import type { Part } from "@/protocol/message.ts";
import { HookJudge } from "./judge.ts";
import { TurnMoments } from "./moments.ts";
import type { SessionEnding, SessionSource } from "@/hooks/event.ts";
import type { Rounds } from "./rounds.ts";
import { HookVoice } from "./voice.ts";
import { refusalOf } from "./words.ts";

export { HookRounds } from "./rounds.ts";

/** What the end of a conversation waits for programs. */
const END_MS_MAX = 3_000;

/** How long nothing is said after a turn until programs are told that the person is waited for. */
const IDLE_MS = 60_000;

const REASONS: Readonly<Record<Ending, SessionEnding>> = {
  new: "clear",
  saved: "resume",
  left: "prompt_input_exit",
  other: "other",
};

type WorkParts = Pick<FeatureParts, "conversation" | "isInteractive"> & {
  live: Pick<FeatureParts["live"], "emit" | "harness">;
};

/** One for a conversation. */
export class HookWork {
  readonly #rounds: Rounds;
  readonly #parts: WorkParts;
  readonly #idleMs: number;
  readonly #voice: HookVoice;
  readonly #moments: TurnMoments;
  #signal: AbortSignal | undefined;
  #hasBegun = false;
  /** The turn that is left behind may end after it. */
  #isOver = false;
  #idle: ReturnType<typeof setTimeout> | undefined;
  /** What the session begins with, for the programs of its start; undefined once they have run. */
  #start: SessionSource | undefined;
  /** Why it was shortened last. */
  #trigger: Shortening["trigger"] = "auto";

  constructor(rounds: Rounds, parts: WorkParts, { idleMs = IDLE_MS } = {}) {
    this.#idleMs = idleMs;
    this.#rounds = rounds;
    this.#parts = parts;
    const { isResumed, isNext } = parts.conversation;
    this.#start = isResumed ? "resume" : isNext === true ? "clear" : "startup";
    this.#voice = new HookVoice(rounds, parts);
    this.#moments = new TurnMoments({
      voice: this.#voice,
      messages: () => parts.live.harness.messages(),
      before: (signal) => this.#begin(signal),
      end: (facts) => ({ hook_event_name: "Stop", ...facts }),
    });
  }

  work(): FeatureWork {
    return {
      judges: [new HookJudge(this.#voice, () => this.#signal)],
      said: (content, signal) => this.#said(content, signal),
      mayGoOn: () => Promise.resolve(this.#mayGoOn()),
      hooks: [this.#moments.hook],
      hooksBeside: (agent) => this.#beside(agent),
      asked: (about, text) => this.#asked(about, text),
      beforeShortening: (how, signal) => this.#beforeShortening(how, signal),
      sink: (event) => this.#take(event),
    };
  }

  /** The conversation ends. */
  async end(why: Ending): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#idle);
    await this.#voice.settled(END_MS_MAX);
    if (!this.#hasBegun) return;
    const input = { hook_event_name: "SessionEnd", reason: REASONS[why] } as const;
    await this.#voice.run(input, { timeoutMsMax: END_MS_MAX });
  }

  async #said(content: readonly Part[], signal: AbortSignal): Promise<readonly Part[]> {
    await this.#begin(signal);
    const prompt = content.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n");
    const input = { hook_event_name: "UserPromptSubmit", prompt } as const;
    const heard = await this.#voice.run(input, { signal });
    for (const one of heard) {
      const reason = refusalOf(one);
      if (reason === undefined) continue;
      this.#voice.takeStop();
      this.#voice.stop(`${one.name} held the message back: ${reason}`);
      return [{
        type: "text",
        text: systemNote("A message of the user's was held back by a hook of theirs."),
      }];
    }
    this.#moments.tell(heard, "says of the user's message");
    return content;
  }

  #mayGoOn(): boolean {
    const stop = this.#voice.takeStop();
    if (stop !== undefined) this.#voice.notice("warn", `The turn is over: ${stop}`);
    return stop === undefined;
  }

  /** The first time that something is said or asked, and the first after the conversation was shortened. */
  async #begin(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    await this.#voice.tellFiles();
    const source = this.#start;
    if (source === undefined) return;
    this.#start = undefined;
    this.#hasBegun = true;
    const heard = await this.#voice.run({ hook_event_name: "SessionStart", source }, { signal });
    this.#moments.tell(
      heard,
      source === "compact"
        ? "says now that older messages are a summary"
        : "says at the start of the session",
    );
  }

  /** A sub-agent reads itself what is said of its calls, and is itself kept from ending. */
  #beside({ uid, path, profile, messages }: Beside): readonly Hook[] {
    const agent = { agent_id: uid, agent_type: profile };
    let begun: Promise<void> | undefined;
    const begin = async (signal: AbortSignal) => {
      const input = { hook_event_name: "SubagentStart", ...agent } as const;
      moments.tell(await this.#voice.run(input, { signal }), "says at the start of your work");
    };
    const moments = new TurnMoments({
      voice: this.#voice,
      messages,
      before: (signal) => begun ??= begin(signal),
      end: (facts) => ({
        hook_event_name: "SubagentStop",
        ...agent,
        agent_transcript_path: path() ?? "",
        ...facts,
      }),
    });
    return [moments.hook];
  }

  #asked(about: "call" | "question", message: string): void {
    if (!this.#parts.isInteractive) return;
    const type = about === "call" ? "permission_prompt" : "elicitation_dialog";
    this.#voice.aside({ hook_event_name: "Notification", message, notification_type: type });
  }

  /** Why the person's own wish is not followed. What has to be shortened is shortened all the same. */
  async #beforeShortening(
    { trigger, wish }: Shortening,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    this.#trigger = trigger;
    const input = { hook_event_name: "PreCompact", trigger, custom_instructions: wish } as const;
    for (const one of await this.#voice.run(input, { signal })) {
      const reason = refusalOf(one);
      if (reason === undefined) continue;
      if (trigger === "manual") return `${one.name} does not want it shortened: ${reason}`;
      this.#voice.once(
        `${one.name} does not want the conversation shortened (${reason}); it has to be, to go on`,
      );
    }
    return undefined;
  }

  #waitForPerson(): void {
    clearTimeout(this.#idle);
    if (!this.#parts.isInteractive || !this.#hasBegun || this.#isOver || this.#voice.isIdle) return;
    this.#idle = setTimeout(() => {
      const message = "harness waits for what you say next";
      this.#voice.aside({
        hook_event_name: "Notification",
        message,
        notification_type: "idle_prompt",
      });
    }, this.#idleMs);
  }

  #take(event: Event): void {
    // What a resumed session was is no news.
    if (event.type === "compaction" && this.#hasBegun) {
      this.#start = "compact";
      const facts = { trigger: this.#trigger, compact_summary: event.summary };
      this.#voice.aside({ hook_event_name: "PostCompact", ...facts });
    }
    if (event.type === "turn_start") clearTimeout(this.#idle);
    if (event.type !== "turn_end") return;
    this.#waitForPerson();
    this.#voice.takeStop();
    this.#moments.reset();
    this.#signal = undefined;
    this.#rounds.expire();
  }
}
