/** What a feature may bring to a conversation. One file in src/features/ and one line in its list make one. */
import type { Sink } from "@/protocol/event.ts";
import type { Hook } from "@/protocol/hook.ts";
import type { Message, Part } from "@/protocol/message.ts";
import type { Guard, Judge } from "@/protocol/policy.ts";
import type { Provider } from "@/protocol/provider.ts";
import type { SessionRecord } from "@/protocol/session.ts";
import type { Brief, ToolResult, ToolSpec } from "@/protocol/tool.ts";
import type { Policy } from "@/policy/policy.ts";
import type { CommandHost } from "@/terminal/commands/spec.ts";
import type { RailItem } from "@/terminal/full/rail.ts";
import type { EditJournal } from "@/workspace/journal.ts";
import type { AppParts } from "./parts.ts";
import type { Live } from "./live.ts";

/** What a feature is made with. `live` answers once everything is built: ask it when something happens, not before. */
export type FeatureParts = AppParts & { live: Live };

/**
 * One feature. It is made at every start, so its file loads nothing: what it works with comes by `import()` in `work` and in
 * the functions that it lends. `Lent` names its parts of what slash commands reach.
 */
export type Feature<Lent extends keyof CommandHost = never> = AnyFeature & LentBy<Lent>;

/** A feature, whatever it lends. */
export type AnyFeature = {
  readonly name: string;
  /** Its parts of what slash commands reach. */
  readonly lend?: Partial<CommandHost>;
  /** What turns need of it; asked once, while the person types or with the first turn. */
  work?(shared: Shared): FeatureWork | Promise<FeatureWork>;
  /** What of it runs now, as rows of the screen's rail; asked at most once a second, and only while something is drawn. */
  alive?(): Promise<readonly RailItem[]>;
  /** Ends what it has started. The newest is closed first, and before everything that features are made with. */
  close?(why: Ending): Promise<void>;
};

type LentBy<Lent extends keyof CommandHost> = [Lent] extends [never] ? { readonly lend?: never }
  : { readonly lend: Pick<CommandHost, Lent> };

/** What the work of features is made with, besides what they have already. */
export type Shared = {
  policy: Policy;
  journal: EditJournal;
  /** All tools of the conversation as they are now. */
  tools(): readonly ToolSpec[];
  /** Whether the rules let the file at a real path be shown by a tool that was not asked for it by name. */
  mayRead(path: string): boolean;
};

/** A conversation beside this one: a sub-agent's. `path` is its log, once there is one. */
export type Beside = {
  uid: string;
  profile: string;
  path(): string | undefined;
  messages(): readonly Message[];
};

/** What ends a conversation: another, new or saved, takes its place, the person leaves it, or something else does. */
export type Ending = "new" | "saved" | "left" | "other";

/** Who wants a conversation shortened, and what they wish to keep. */
export type Shortening = { trigger: "auto" | "manual"; wish: string };

/** What turns need of a feature. Where several bring the same, the order is that of the list of features. */
export type FeatureWork = {
  /** Read anew for each request and each call: a getter may answer otherwise when something was attached. */
  readonly tools?: readonly ToolSpec[];
  /** Whether these tools belong to the harness: then no profile can leave them out. */
  readonly isOwn?: boolean;
  /** The same tools for a conversation beside this one, where they remember what theirs was shown. */
  toolsBeside?(): readonly ToolSpec[];
  /** They answer before every rule. */
  readonly guards?: readonly Guard[];
  /** They are heard beside all guards; see `Judges`. */
  readonly judges?: readonly Judge[];
  readonly hooks?: readonly Hook[];
  /** Hooks of one conversation beside this one; by default what `hooks` do after a call, and nothing else of them. */
  hooksBeside?(agent: Beside): readonly Hook[];
  /** The person is asked something now. Nobody waits for what is made of it. */
  asked?(about: "call" | "question", text: string): void;
  /** Before older messages become a summary; a text says why not, and counts where the person wished for it alone. */
  beforeShortening?(how: Shortening, signal: AbortSignal): Promise<string | undefined>;
  /** Once, before the first request of this run: what is said, written or begun with it. Nobody waits for it. */
  begin?(): void;
  /**
   * Its section of the system prompt; "" for none. Asked before each request, and the start of what servers cache: the
   * same bytes as long as it says the same, no clocks and no counters.
   */
  prompt?(): string;
  /** The same for a conversation beside this one, where that differs. */
  promptBeside?(): string;
  /** The model as the conversation asks it, around what the features before have made of it. */
  provider?(inner: Provider): Provider;
  /** Takes every durable event of the session, those from before first, and live ones from when the work is made. */
  readonly sink?: Sink;
  /** Takes those from before this run in the place of `sink`, with when they happened. */
  past?(record: SessionRecord): void;
  /** What a person's message is sent as: with what it mentions, for example. */
  said?(content: readonly Part[], signal: AbortSignal): Promise<readonly Part[]>;
  /** Whether to ask the model again after `count` calls of a turn; false ends the turn with a limit. */
  mayGoOn?(count: number, signal: AbortSignal): Promise<boolean>;
  /** Whether there is room for a short question to the model beside the turns. Asks nobody and says nothing. */
  hasRoom?(): Promise<boolean>;
  /** Which part of a turn runs, where it goes in parts: MAX_TOOL_CALLS counts anew in each. */
  part?(): string | undefined;
  /** A sub-agent's report. The first feature that can hire does. */
  hire?(brief: Brief, signal: AbortSignal): Promise<ToolResult>;
};

/** What features lend together: a part that none of them lends is missing in the type. */
export type Lends<Features extends readonly AnyFeature[]> = AllOf<Features[number]["lend"]>;

type AllOf<Union> = (Union extends object ? (one: Union) => void : never) extends
  (all: infer All) => void ? All : never;

/** Put together what features lend. */
export function lentBy<const Features extends readonly AnyFeature[]>(
  features: Features,
): Lends<Features> {
  return Object.assign({}, ...features.map(({ lend }) => lend ?? {})) as Lends<Features>;
}
