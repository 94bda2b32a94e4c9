/** What is built once for a conversation and handed down to everything else. */
import type { Policy } from "@/policy/policy.ts";
import type { Trust } from "@/policy/trust.ts";
import type { Sink } from "@/protocol/event.ts";
import type { Approver, Asker } from "@/protocol/policy.ts";
import type { CreateOptions, Http } from "@/provider/mod.ts";
import type { SandboxOnDemand } from "@/sandbox/mod.ts";
import type { Processes } from "@/sandbox/processes.ts";
import type { SettingsStore } from "@/settings/store.ts";
import type { Picked, Picking } from "@/terminal/full/picker.ts";
import type { StreamHeader } from "@/terminal/json_sink.ts";
import type { Commits } from "@/workspace/commit/commits.ts";
import type { EditJournal } from "@/workspace/journal.ts";
import type { Conversation } from "./conversation.ts";
import type { ModelSlot } from "./model.ts";
import type { RunOptions } from "./options.ts";
import type { Network } from "./network.ts";
import type { Place } from "./place.ts";
import type { Profile } from "./profile.ts";
import type { Programs } from "./programs.ts";

/** What a screen is told before the first event. */
export type ScreenFacts = { header(): StreamHeader };

/** What whoever watches brings: answers and eyes. */
export type ScreenParts = {
  approver: Approver;
  asker: Asker;
  /** Takes a secret that is not shown; absent where nobody can type one. */
  secret?(text: string): Promise<string | undefined>;
  /** Puts a text on the person's clipboard; false where it is too long. Absent where there is none. */
  copy?(text: string): boolean;
  /** Lets the person choose from rows; absent where there is no picker. */
  pick?(picking: Picking): Promise<Picked>;
  /** Opens the transcript in a viewer; absent where there is none. */
  openTranscript?(): void;
  sinks: readonly Sink[];
};

/** Everything that was built, for one conversation. */
export type AppParts = {
  run: RunOptions;
  place: Place;
  /** What makes this agent different from another. */
  profile: Profile;
  settings: SettingsStore;
  conversation: Conversation;
  model: ModelSlot;
  /** What providers are made with; read anew where saved keys may have changed. */
  reach(): Promise<CreateOptions>;
  /** The rules, read when they are first needed. */
  policy(): Promise<Policy>;
  trust: Trust;
  /** The record of edits, opened when it is first needed. */
  journal(): Promise<EditJournal>;
  /** The commits of those edits, opened with it. */
  commits(): Promise<Commits>;
  /** Resolves when every edit has its commit, or none for good. Opens nothing. */
  committed(): Promise<void>;
  processes: Processes;
  sandbox: SandboxOnDemand;
  /** The one way out, for commands and for tools. */
  network: Network;
  programs: Programs;
  http: Http;
  /** Real paths of `--add-dir`. */
  added: readonly string[];
  isInteractive: boolean;
  /** MCP servers that an editor brings, in the format of mcp.json: decided about like any others, and inside the boundary. */
  clientServers?: string;
  /** Whether what would ask is allowed instead. */
  automode: { isOn: boolean };
};
