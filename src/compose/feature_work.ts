/** What the features bring to turns, put together in the order of their list. */
import { isDurable, type Sink } from "@/protocol/event.ts";
import { once } from "@/lib/once.ts";
import type { Guard, Judge } from "@/protocol/policy.ts";
import type { Part } from "@/protocol/message.ts";
import type { Provider } from "@/protocol/provider.ts";
import type { Hook } from "@/protocol/hook.ts";
import type { SessionRecord } from "@/protocol/session.ts";
import type { Brief, ToolResult, ToolSpec } from "@/protocol/tool.ts";
import { EarlySink } from "./early_sink.ts";
import type { AnyFeature, Beside, FeatureWork, Shared, Shortening } from "./feature.ts";

/** Whether a tool is there. */
type Keeps = (tool: ToolSpec) => boolean;

/** Their work, as one. */
export class FeatureWorks {
  readonly #works: readonly FeatureWork[];
  readonly #keeps: Keeps | undefined;
  readonly #names: readonly string[];
  #tools: readonly ToolSpec[] = [];

  /** `keeps`: which tools there are besides those that belong to the harness; absent for all. */
  constructor(works: readonly FeatureWork[], keeps?: Keeps, names: readonly string[] = []) {
    this.#names = names;
    this.#works = works;
    this.#keeps = keeps;
  }

  /** Ask all of them. */
  static async of(
    features: readonly AnyFeature[],
    shared: Shared,
    keeps?: Keeps,
  ): Promise<FeatureWorks> {
    const works = await Promise.all(features.map(async ({ work }) => await work?.(shared) ?? {}));
    return new FeatureWorks(works, keeps, features.map(({ name }) => name));
  }

  /** The same array as long as they are the same tools: what is made of them is kept by it. */
  tools(): readonly ToolSpec[] {
    const keeps = this.#keeps;
    const now = this.#works.flatMap(({ tools = [], isOwn }) =>
      keeps === undefined || isOwn === true ? tools : tools.filter(keeps)
    );
    const isSame = now.length === this.#tools.length &&
      now.every((tool, at) => tool === this.#tools[at]);
    if (!isSame) this.#tools = now;
    return this.#tools;
  }

  /** All of them, those that the profile leaves out too: rules about these say what may be read. */
  everyTool(): readonly ToolSpec[] {
    return this.#works.flatMap(({ tools = [] }) => tools);
  }

  /** The tools of a conversation beside this one, those of now at each call; `keeps` as its own profile has it. */
  toolsBeside(keeps: Keeps | undefined): () => readonly ToolSpec[] {
    const works = this.#works.map((work) => {
      const tools = work.toolsBeside?.();
      return tools === undefined ? work : { tools, isOwn: work.isOwn === true };
    });
    const beside = new FeatureWorks(works, keeps);
    return () => beside.tools();
  }

  guards(): readonly Guard[] {
    return this.#works.flatMap(({ guards }) => guards ?? []);
  }

  judges(): readonly Judge[] {
    return this.#works.flatMap(({ judges }) => judges ?? []);
  }

  hooks(): readonly Hook[] {
    return this.#works.flatMap((work, at) => [
      ...(work.begin === undefined ? [] : [beginning(this.#names[at] ?? "", () => work.begin?.())]),
      ...work.hooks ?? [],
    ]);
  }

  /** Those of one conversation beside this one; what holds a turn or speaks to the model belongs to the conversation. */
  hooksBeside(agent: Beside): readonly Hook[] {
    return this.#works.flatMap((work) =>
      work.hooksBeside?.(agent) ?? work.hooks?.flatMap(afterToolOf) ?? []
    );
  }

  asked(about: "call" | "question", text: string): void {
    for (const work of this.#works) work.asked?.(about, text);
  }

  /** Why older messages are not to become a summary, where the person wished for it. */
  async beforeShortening(how: Shortening, signal: AbortSignal): Promise<string | undefined> {
    for (const work of this.#works) {
      const why = await work.beforeShortening?.(how, signal);
      if (why !== undefined) return why;
    }
    return undefined;
  }

  /** Sections of the system prompt. */
  prompt(): readonly string[] {
    return this.#works.map((work) => work.prompt?.() ?? "").filter((text) => text !== "");
  }

  /** The same for a conversation beside this one. */
  promptBeside(): readonly string[] {
    return this.#works.map((work) => (work.promptBeside ?? work.prompt)?.() ?? "")
      .filter((text) => text !== "");
  }

  provider(innermost: Provider): Provider {
    return this.#works.reduce((inner, work) => work.provider?.(inner) ?? inner, innermost);
  }

  /** What the session was before this run, a record at a time and oldest first. */
  past(record: SessionRecord): void {
    for (const work of this.#works) {
      if (work.past === undefined) work.sink?.(record.event);
      else work.past(record);
    }
  }

  readonly sink: Sink = (event): void => {
    for (const { sink } of this.#works) sink?.(event);
  };

  async said(content: readonly Part[], signal: AbortSignal): Promise<readonly Part[]> {
    let sent = content;
    for (const work of this.#works) sent = await work.said?.(sent, signal) ?? sent;
    return sent;
  }

  async mayGoOn(count: number, signal: AbortSignal): Promise<boolean> {
    for (const work of this.#works) {
      if (await work.mayGoOn?.(count, signal) === false) return false;
    }
    return true;
  }

  async hasRoom(): Promise<boolean> {
    for (const work of this.#works) {
      if (await work.hasRoom?.() === false) return false;
    }
    return true;
  }

  /** Which part of a turn runs. */
  part(): string {
    return this.#works.map((work) => work.part?.() ?? "").join();
  }

  /** Rejects where no feature can hire. */
  async hire(brief: Brief, signal: AbortSignal): Promise<ToolResult> {
    const hiring = this.#works.find(({ hire }) => hire !== undefined);
    if (hiring?.hire === undefined) throw new Error("This version has no sub-agents");
    return await hiring.hire(brief, signal);
  }
}

function afterToolOf(hook: Hook): readonly Hook[] {
  if (hook.afterTool === undefined) return [];
  return [{ name: hook.name, afterTool: hook.afterTool.bind(hook) }];
}

/** Before the first request, and never again. */
function beginning(name: string, begin: () => void): Hook {
  const start = once(begin);
  return {
    name,
    beforeRequest: () => {
      start();
      return undefined;
    },
  };
}

/** Keeps the durable events of a session until the features are there to take them; then passes everything on. */
export class FeatureSink {
  readonly #events = new EarlySink();
  #isConnected = false;

  connect(sink: Sink): void {
    this.#isConnected = true;
    this.#events.connect(sink);
  }

  readonly sink: Sink = (event): void => {
    if (this.#isConnected || isDurable(event)) this.#events.emit(event);
  };
}
