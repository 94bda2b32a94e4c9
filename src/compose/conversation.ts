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
  /** Its own model, whatever stood in for it when it was ended. */
  model?: ModelName;
  /** Who answers as its log ends, one that stands in included. */
  answering?: ModelName;
  isResumed: boolean;
  /** In the place of another that the person has left for it. */
  isNext?: boolean;
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

type Meant = Pick<RunOptions, "continue" | "resume" | "fork" | "sessionId">;

/**
 * Open it. Throws PersonError: "usage" for flags that contradict each other, "state" when not exactly one session is
 * meant or the uid that a new one was to have is taken.
 */
export async function openConversation(
  run: Meant,
  { place, settings, profile, mayFork }: ConversationParts,
): Promise<Conversation> {
  const options = {
    isRecording: () => settings.current.SAVE_CHAT_HISTORY,
    slugCharsMax: settings.current.SESSION_SLUG_MAX_LEN,
  };
  const { sessions } = place.paths;
  checkFlags(run);
  const uid = run.sessionId?.toLowerCase();
  if (uid !== undefined) await assertFree(sessions, uid);
  if (run.continue !== true && run.resume === undefined) {
    const log = SessionLog.create(sessions, options, uid);
    return { log, past: [], records: [], title: "", isResumed: false, notices: [] };
  }
  const { findSession, newestSession } = await import("@/session/find.ts");
  const entry = run.resume === undefined
    ? await newestSession(sessions, place.workspace)
    : await findSession(sessions, run.resume);
  const { log, records, summary, notices } = await reopen(entry.path, options, {
    ...(mayFork && { mayFork }),
    ...(uid !== undefined && { uid }),
    cwd: place.workspace,
    profile,
    isCopy: run.fork === true,
  });
  const past = records.map(({ event }) => event);
  const named = past.filter((event) => event.type === "model");
  const [own, last] = [named.findLast(({ standsIn }) => standsIn !== true), named.at(-1)];
  return {
    log,
    past,
    records,
    title: summary.title,
    isResumed: true,
    notices,
    ...(own && { model: nameIn(own) }),
    ...(last && { answering: nameIn(last) }),
  };
}

function nameIn({ provider, model }: ModelName): ModelName {
  return { provider, model };
}

type Reopening = Pick<ConversationParts, "mayFork" | "profile"> & {
  cwd: string;
  /** Of the copy; absent: a new one. */
  uid?: string;
  /** Whether a copy is wanted in any case. */
  isCopy: boolean;
};

async function reopen(
  path: string,
  options: SessionOptions,
  { mayFork, cwd, profile, uid, isCopy }: Reopening,
): Promise<OpenedSession> {
  if (!isCopy) {
    try {
      return await SessionLog.open(path, options);
    } catch (error) {
      if (!(error instanceof SessionInUse) || !await mayFork?.(error.message)) throw error;
    }
  }
  const { forkSession } = await import("@/session/fork.ts");
  const copy = await forkSession(path, {
    cwd,
    profile,
    ...(uid !== undefined && { uid }),
  });
  return await SessionLog.open(copy, options);
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function checkFlags({ continue: isNewest, resume, fork, sessionId }: Meant): void {
  const refuse = (message: string, hint: string) => new PersonError("usage", message, hint);
  const isReopened = isNewest === true || resume !== undefined;
  if (isNewest === true && resume !== undefined) {
    throw refuse("-c and -r were given together", "Give one of them");
  }
  if (fork === true && !isReopened) {
    throw refuse("--fork was given, and no session to copy", "Name it with -r, or take -c");
  }
  if (sessionId === undefined) return;
  if (!UUID.test(sessionId)) {
    const form = "Write 32 hexadecimal digits as 8-4-4-4-12, as uuidgen prints them";
    throw refuse(`--session-id "${sessionId}" is no UUID`, form);
  }
  if (isReopened && fork !== true) {
    const hint = "Leave --session-id out, or add --fork to go on with a copy that has it";
    throw refuse("A session that is reopened keeps its uid", hint);
  }
}

/** Two sessions with one uid would answer to one name. */
async function assertFree(sessions: string, uid: string): Promise<void> {
  const { listSessions } = await import("@/session/find.ts");
  const taken = (await listSessions(sessions)).sessions.find((session) => session.uid === uid);
  if (taken === undefined) return;
  const hint = `harness -r ${uid} goes on with it; for a new session take another uid`;
  throw new PersonError("state", `Session "${taken.id}" has the uid ${uid} already`, hint);
}
