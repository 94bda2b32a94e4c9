/** Which session a run belongs to: a new one, the newest of this directory, or one that was named. */
import { PersonError } from "@/protocol/error.ts";
import type { DurableEvent } from "@/protocol/event.ts";
import type { SessionRecord } from "@/protocol/session.ts";
import type { ModelName } from "./model.ts";
import type { RunOptions } from "./options.ts";
import { SessionInUse } from "@/session/lock.ts";
import { type OpenedSession, SessionLog, type SessionOptions } from "@/session/log.ts";
import type { Settings } from "@/settings/settings.ts";
import type { Place } from "./place.ts";

/** A session that a run goes on with. */
export type Conversation = {
  log: SessionLog;
  past: readonly DurableEvent[];
  /** The same with the times at which they happened. */
  records: readonly SessionRecord[];
  title: string;
  /** What it was last answered by. */
  model?: ModelName;
  isResumed: boolean;
  notices: readonly string[];
};

/** Asks the person whether to go on with a copy of a session that is open elsewhere, which `why` says. */
export type MayFork = (why: string) => Promise<boolean>;

export type ConversationParts = {
  place: Place;
  settings: { readonly current: Settings };
  /** The name of the profile that a copy is recorded with. */
  profile: string;
  /** Absent where there is nobody to ask. */
  mayFork?: MayFork;
};

/** Open it. Throws PersonError: "usage" for both flags, "state" when not exactly one session is meant. */
export async function openConversation(
  run: Pick<RunOptions, "continue" | "resume">,
  { place, settings, profile, mayFork }: ConversationParts,
): Promise<Conversation> {
  const options = {
    isRecording: () => settings.current.SAVE_CHAT_HISTORY,
    slugCharsMax: settings.current.SESSION_SLUG_MAX_LEN,
  };
  const { sessions } = place.paths;
  if (run.continue === true && run.resume !== undefined) {
    throw new PersonError("usage", "-c and -r were given together", "Give one of them");
  }
  if (run.continue !== true && run.resume === undefined) {
    const log = SessionLog.create(sessions, options);
    return { log, past: [], records: [], title: "", isResumed: false, notices: [] };
  }
  const { findSession, newestSession } = await import("@/session/find.ts");
  const entry = run.resume === undefined
    ? await newestSession(sessions, place.workspace)
    : await findSession(sessions, run.resume);
  const { log, records, summary, notices } = await reopen(entry.path, options, {
    ...(mayFork && { mayFork }),
    cwd: place.workspace,
    profile,
  });
  const past = records.map(({ event }) => event);
  const last = past.findLast((event) => event.type === "model");
  const model = last?.type === "model" ? { provider: last.provider, model: last.model } : undefined;
  return {
    log,
    past,
    records,
    title: summary.title,
    isResumed: true,
    notices,
    ...(model === undefined ? {} : { model }),
  };
}

async function reopen(
  path: string,
  options: SessionOptions,
  { mayFork, cwd, profile }: Pick<ConversationParts, "mayFork" | "profile"> & { cwd: string },
): Promise<OpenedSession> {
  try {
    return await SessionLog.open(path, options);
  } catch (error) {
    if (!(error instanceof SessionInUse) || !await mayFork?.(error.message)) throw error;
    const { forkSession } = await import("@/session/fork.ts");
    return await SessionLog.open(await forkSession(path, { cwd, profile }), options);
  }
}
