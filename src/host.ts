/**
 * What slash commands are lent, made of the parts that the composition root built. Whatever a command works with is loaded
 * when it is given: a start needs none of it.
 */
import { resolve } from "./lib/path.ts";
import type { Harness } from "./agent/harness.ts";
import type { AppParts, ScreenParts } from "./app.ts";
import { withSentence } from "./lib/file_error.ts";
import { psPart, vmPart } from "./host_programs.ts";
import { connect, modelText } from "./model.ts";
import type { Loop } from "./loop.ts";
import { mayBringRights } from "./policy/project_files.ts";
import type { TrustItem } from "./policy/trust.ts";
import type { SessionRecord } from "./protocol/session.ts";
import type { SessionLog } from "./session/log.ts";
import { cleanTitle } from "./session/title.ts";
import { COMMANDS } from "./terminal/commands/mod.ts";
import { type CommandHost, done, refused } from "./terminal/commands/spec.ts";
import { transcriptPart } from "./transcript_host.ts";

/** Build it. */
export function commandHost(
  parts: AppParts,
  { harness, check, screen }: Loop,
): CommandHost {
  return {
    isInteractive: parts.isInteractive,
    commands: () => COMMANDS,
    undo: undoPart(parts),
    settings: settingsPart(parts),
    policy: policyPart(parts, check),
    trust: trustPart(parts),
    sessions: sessionsPart(parts, harness),
    model: modelPart(parts, { harness, screen }),
    ps: psPart(parts.programs),
    vm: vmPart(parts.programs),
    transcript: transcriptPart(parts, { harness, screen }),
    sandbox: {
      describe: async () => {
        const { boundaryText } = await import("./sandbox/boundary.ts");
        return boundaryText((await parts.sandbox.ready()).describe());
      },
    },
    mode: {
      automode: () => parts.automode.isOn,
      setAutomode: (on) => {
        parts.automode.isOn = on;
      },
      planmode: () => parts.planmode.isOn,
      setPlanmode: (on) => {
        parts.planmode.isOn = on;
      },
    },
  };
}

function undoPart(parts: AppParts): CommandHost["undo"] {
  const { conversation, isInteractive } = parts;
  const load = () => Promise.all([import("./workspace/undo.ts"), parts.journal()]);
  /** A run of one command has no edits of its own: it means the session that ended last here. */
  const session = async () => {
    const [{ lastEndedSession }, journal] = await load();
    if (isInteractive || conversation.isResumed) return journal.session;
    return await lastEndedSession(journal) ?? journal.session;
  };
  /** Likewise for redo: the ended session of which something was taken back last. */
  const undoneSession = async () => {
    if (isInteractive || conversation.isResumed) return undefined;
    const [{ listEdits }, journal] = await load();
    const edits = await listEdits(journal);
    return edits.find((edit) => edit.state === "undone" && !journal.isLive(edit.session))?.session;
  };
  return {
    undo: async () => {
      const [{ undo }, journal] = await load();
      return await undo(journal, await session());
    },
    undoTurn: async () => {
      const [{ undoTurn }, journal] = await load();
      return await undoTurn(journal, await session());
    },
    redo: async () => {
      const [{ redo }, journal] = await load();
      return await redo(journal, await undoneSession() ?? await session());
    },
    show: async (id) => {
      const { showEdit } = await import("./workspace/undo_show.ts");
      return await showEdit(await parts.journal(), id);
    },
    list: async () => {
      const [{ listEdits }, journal] = await load();
      const edits = await listEdits(journal);
      if (edits.length === 0) return "No edits are recorded for this workspace";
      return edits.map((edit) => {
        const mark = { live: " ", undone: "undone", "too old": "too old" }[edit.state];
        const own = edit.session === journal.session ? "" : `  (session ${edit.session})`;
        const when = edit.at.slice(0, 16).replace("T", " ");
        return `${edit.id}  ${when}  ${edit.tool}  ${edit.paths.join(", ")}  ${mark}${own}`
          .trimEnd();
      }).join("\n");
    },
  };
}

function settingsPart({ settings }: AppParts): CommandHost["settings"] {
  return {
    rows: () =>
      settings.rows().map(({ name, value, origin, description }) => ({
        name,
        value,
        origin,
        brief: description,
      })),
    set: async (name, text) => {
      const { name: canonical, notices } = await settings.set(name, text);
      const row = settings.rows().find((one) => one.name === canonical);
      return done(
        [`${canonical} = ${row?.value ?? ""} (${row?.origin ?? ""})`, ...notices].join("\n"),
      );
    },
    isOn: (name) => settings.current[name],
    turn: (name, on) => settings.setForSession(name, on),
  };
}

function policyPart(parts: AppParts, check: Loop["check"]): CommandHost["policy"] {
  return {
    describe: async () => {
      const policy = await parts.policy();
      const rows = policy.rulesInForce().map(({ text, verdict, from, idle }) =>
        `  ${verdict.padEnd(5)}  ${text}  (${from})${
          idle === undefined ? "" : `  does nothing: ${idle}`
        }`
      );
      const body = rows.length === 0 ? ["No rules: everything that changes something asks"] : rows;
      return [...body, ...policy.problems.map((problem) => `problem: ${problem}`)].join("\n");
    },
    add: async (verdict, rule) => {
      try {
        await (await parts.policy()).add(rule, verdict, "project");
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        return refused(error.message);
      }
      return done(`${verdict} ${rule.trim()} is in force for this project, and saved`);
    },
    reload: async () => {
      const policy = await parts.policy();
      await policy.reload();
      const { problems } = policy;
      return done(["The rule files were read again", ...problems].join("\n"));
    },
    check: async (call) => {
      const { checkCall } = await import("./policy_check.ts");
      return await checkCall(call, await check());
    },
  };
}

function trustPart({ trust, policy, place }: AppParts): CommandHost["trust"] {
  /** What the person has seen: trust is about that, whatever the files have become since. */
  let shown: readonly TrustItem[] | undefined;
  const waiting = async () => {
    if (!await mayBringRights(place.workspace)) return [];
    const { pending } = await import("./policy/pending.ts");
    return await pending(trust, place.workspace);
  };
  return {
    pending: async () => {
      const items = await waiting();
      shown = items;
      if (items.length === 0) return undefined;
      const rows = items.flatMap((
        { name, does },
      ) => [`${name}:`, ...does.map((line) => `  ${line}`)]);
      return [
        "This project brings files that would give rights. Until you trust them they do nothing:",
        ...rows,
      ]
        .join("\n");
    },
    grant: async () => {
      const items = shown ?? await waiting();
      if (items.length === 0) return done("Nothing of this project waits for trust");
      shown = undefined;
      await trust.grant(place.workspace, items);
      await (await policy()).reload();
      const left = await waiting();
      return done([
        `Trusted as they were shown: ${names(items)}`,
        ...(left.length === 0
          ? []
          : [`Not trusted, because it has changed since: ${names(left)}; /trust shows it`]),
      ].join("\n"));
    },
  };
}

function names(items: readonly TrustItem[]): string {
  return items.map(({ name }) => name).join(", ");
}

function sessionsPart(
  { place, conversation, settings }: AppParts,
  harness: Harness,
): CommandHost["sessions"] {
  const { log } = conversation;
  return {
    list: async () => {
      const { formatSessions, listSessions } = await import("./session/find.ts");
      const { sessions, notices } = await listSessions(place.paths.sessions);
      const body = sessions.length === 0 ? "No sessions are saved" : formatSessions(sessions);
      return [body, ...notices].join("\n");
    },
    title: () =>
      `${
        conversation.title === "" ? "(no title)" : conversation.title
      }\nid ${log.id}, uid ${log.uid}`,
    retitle: async (title) => {
      const clean = cleanTitle(title, settings.current.SESSION_TITLE_MAX_LEN);
      if (clean === "") return refused(`"${title}" leaves no title`);
      harness.emit({ type: "title", title: clean });
      conversation.title = clean;
      const id = await log.rename(clean);
      return done(`This session is now "${clean}", id ${id}`);
    },
    exportAs: async (format, file) => {
      const { toJson, toMarkdown } = await import("./session/export.ts");
      const records = await savedRecords(log);
      const text = format === "json" ? toJson(records, log.id) : toMarkdown(records, log.id);
      if (file === undefined) return done(text);
      const path = resolve(place.stoodIn, file);
      try {
        await Deno.writeTextFile(path, text, { createNew: true });
      } catch (error) {
        if (!(error instanceof Deno.errors.AlreadyExists)) {
          throw withSentence(error, `Cannot write "${path}"`);
        }
        return refused(`Nothing was written: "${path}" is there already; name another file`);
      }
      return done(`Written to ${path}`);
    },
  };
}

/** The session as it stands on disk. */
async function savedRecords(log: SessionLog): Promise<readonly SessionRecord[]> {
  await log.flush();
  if (log.path === undefined) return [];
  const { readSession } = await import("./session/read.ts");
  return (await readSession(log.path)).records;
}

const ASK_MS = 15_000;

function modelPart(
  parts: AppParts,
  { harness, screen }: { harness: Harness; screen: ScreenParts },
): CommandHost["model"] {
  const { model, reach, settings } = parts;
  const never = new AbortController().signal;
  return {
    status: () => {
      const { protocol, windowTokens, outputTokensMax } = model.current;
      return Promise.resolve([
        modelText(model.current),
        `protocol: ${protocol ?? "not asked yet"}`,
        `window: ${windowTokens} tokens, reply at most ${outputTokensMax}`,
      ].join("\n"));
    },
    list: async () => {
      const models = await model.current.models(AbortSignal.timeout(ASK_MS));
      return models.map(({ name, windowTokens }) => {
        const mark = name === model.current.name.model ? "*" : " ";
        return `${mark} ${name}${windowTokens === undefined ? "" : `  (${windowTokens} tokens)`}`;
      }).join("\n");
    },
    connect: async (words) => {
      const { connectCommand } = await import("./connect.ts");
      return await connectCommand(words, {
        reach,
        ask: async (question) => (await screen.asker([question], never))?.[0],
        secret: (text) => screen.secret?.(text) ?? Promise.resolve(undefined),
        onConnected: async (name) => {
          model.replace(await connect(name, await reach(), () => settings.current));
          // A session that has not begun tells its model when it does.
          if (harness.turn > 0) harness.emit({ type: "model", ...name });
        },
        warn: (text) => harness.emit({ type: "notice", level: "warn", text }),
      });
    },
  };
}
