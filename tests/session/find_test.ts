import { deepStrictEqual as equal, match, rejects } from "node:assert/strict";
import { join } from "node:path";
import type { DurableEvent } from "@/protocol/event.ts";
import {
  findSession,
  formatSessions,
  listSessions,
  matchSessions,
  newestSession,
  NotOneSession,
} from "@/session/find.ts";
import { encodeRecord } from "@/session/record.ts";
import { withWorkspace } from "../support/workspace.ts";

type Made = { uid?: string; title?: string; cwd?: string; at: string; text?: string };

function said(text: string): DurableEvent {
  const content = [{ type: "text" as const, text }];
  return { type: "message", message: { role: "user", content, origin: "person" } };
}

async function make(dir: string, id: string, { uid, title, cwd, at, text }: Made): Promise<void> {
  const events: DurableEvent[] = [
    { type: "session", uid: uid ?? `0199-uid-of-${id}`, cwd: cwd ?? "/p", profile: "" },
    { type: "turn_start", turn: 1 },
    said(text ?? "hello"),
    ...(title === undefined ? [] : [{ type: "title" as const, title }]),
    { type: "turn_end", turn: 1, stop: "end" },
  ];
  const lines = events.map((event) => encodeRecord({ v: 1, at, event }));
  await Deno.writeTextFile(join(dir, `${id}.jsonl`), lines.join(""));
}

Deno.test("listSessions() lists what is there, newest first, and nothing where there is nothing", async () => {
  await withWorkspace(async (dir) => {
    equal(await listSessions(join(dir, "none")), { sessions: [], notices: [] });
    await make(dir, "old", { at: "2026-01-01T00:00:00.000Z", title: "Old talk", cwd: "/q" });
    await make(dir, "new", { at: "2026-02-01T00:00:00.000Z", text: "fix\n  it" });
    await Deno.writeTextFile(join(dir, "empty.jsonl"), "");
    await Deno.writeTextFile(join(dir, "old.torn-2026"), "{");
    await Deno.mkdir(join(dir, "folder.jsonl"));
    const { sessions, notices } = await listSessions(dir);
    equal(notices, []);
    equal(sessions, [
      {
        id: "new",
        path: join(dir, "new.jsonl"),
        uid: "0199-uid-of-new",
        title: "",
        cwd: "/p",
        profile: "",
        createdAt: "2026-02-01T00:00:00.000Z",
        updatedAt: "2026-02-01T00:00:00.000Z",
        turns: 1,
        firstText: "fix it",
      },
      {
        id: "old",
        path: join(dir, "old.jsonl"),
        uid: "0199-uid-of-old",
        title: "Old talk",
        cwd: "/q",
        profile: "",
        createdAt: "2026-01-01T00:00:00.000Z",
        updatedAt: "2026-01-01T00:00:00.000Z",
        turns: 1,
        firstText: "hello",
      },
    ]);
  });
});

Deno.test("listSessions() names a file that it cannot read and lists the others", async () => {
  await withWorkspace(async (dir) => {
    await make(dir, "good", { at: "2026-01-01T00:00:00.000Z" });
    await Deno.mkdir(join(dir, "target"));
    await Deno.symlink(join(dir, "target"), join(dir, "linked.jsonl"));
    await Deno.symlink(join(dir, "gone"), join(dir, "dangling.jsonl"));
    const { sessions, notices } = await listSessions(dir);
    equal(sessions.map(({ id }) => id), ["good"]);
    equal([...notices].sort(), [
      'Cannot read session "dangling": no such file or directory',
      'Cannot read session "linked": a directory is there',
    ]);
  });
});

Deno.test("listSessions() finds title and directory wherever in the file they were said last", async () => {
  await withWorkspace(async (dir) => {
    const filler = Array.from({ length: 60 }, (_, turn): DurableEvent[] => [
      { type: "turn_start", turn: turn + 2 },
      said("x".repeat(10_000)),
    ]).flat();
    const events: DurableEvent[] = [
      { type: "session", uid: "0199-a", cwd: "/first", profile: "" },
      said("hello"),
      ...filler,
      { type: "title", title: "Named late" },
      { type: "session", uid: "0199-a", cwd: "/second", profile: "" },
      ...filler,
      { type: "rewind", toTurn: 3 },
      said("y".repeat(20_000)),
    ];
    const lines = events.map((event, index) =>
      encodeRecord({ v: 1, at: `2026-01-01T00:00:00.${String(index).padStart(3, "0")}Z`, event })
    );
    await Deno.writeTextFile(join(dir, "late.jsonl"), lines.join(""));
    const [late] = (await listSessions(dir)).sessions;
    equal([late?.title, late?.cwd, late?.turns], ["Named late", "/second", 3]);
    equal(late?.updatedAt, `2026-01-01T00:00:00.${events.length - 1}Z`);
    equal((await newestSession(dir, "/second")).id, "late");
    await rejects(newestSession(dir, "/first"), NotOneSession);
  });
});

const NAMED = [
  { id: "fix-parser", title: "Fix parser", uid: "01990000-aaaa" },
  { id: "fix-parser-2", title: "Fix parser", uid: "01990000-bbbb" },
  { id: "docs", title: "Docs: parser guide", uid: "01990001-cccc" },
  { id: "20260901_101010", title: "" },
];

Deno.test("matchSessions() takes uid and id before title, title before parts, parts before the start of a uid", () => {
  const cases: readonly [query: string, ids: string[]][] = [
    ["fix-parser", ["fix-parser"]],
    ["01990000-bbbb", ["fix-parser-2"]],
    ["FIX PARSER", ["fix-parser", "fix-parser-2"]],
    ["Fix-Parser", ["fix-parser", "fix-parser-2"]],
    ["guide", ["docs"]],
    ["20260901", ["20260901_101010"]],
    ["01990000", ["fix-parser", "fix-parser-2"]],
    ["01990001-C", ["docs"]],
    ["0199", []],
    ["", ["fix-parser", "fix-parser-2", "docs", "20260901_101010"]],
  ];
  for (const [query, ids] of cases) {
    equal(matchSessions(NAMED, query).map(({ id }) => id), ids, query);
  }
});

Deno.test("matchSessions() takes composed and decomposed spellings as one", () => {
  const named = [{ id: "caf\u00e9", title: "Cafe\u0301 plan" }];
  equal(matchSessions(named, "cafe\u0301").length, 1);
  equal(matchSessions(named, "CAF\u00c9 PLAN").length, 1);
});

Deno.test("findSession() lists the candidates instead of choosing", async () => {
  await withWorkspace(async (dir) => {
    await make(dir, "a-parser", { at: "2026-01-01T10:20:30.000Z", title: "A parser" });
    await make(dir, "b-parser", {
      at: "2026-01-02T10:20:30.000Z",
      text: "write\u001b[2J a parser",
    });
    await rejects(findSession(dir, "parser"), (error) => {
      if (!(error instanceof NotOneSession)) return false;
      equal(error.candidates.map(({ id }) => id), ["b-parser", "a-parser"]);
      equal(error.kind, "state");
      equal(
        error.message,
        '2 sessions match "parser"; name one of them by its id:\n' +
          '  b-parser  2026-01-02 10:20  "write\\x1b[2J a parser"  /p\n' +
          "  a-parser  2026-01-01 10:20  A parser  /p",
      );
      return true;
    });
    await rejects(findSession(dir, "zzz"), (error) => {
      if (!(error instanceof NotOneSession)) return false;
      equal([error.candidates, error.hint], [[], ""]);
      match(
        error.message,
        /^No session has the id or title "zzz", or one that contains it\. There are:\n {2}b-parser .*\n {2}a-parser .*$/,
      );
      return true;
    });
    await rejects(findSession(dir, "../a-parser"), /No session has/);
    equal((await findSession(dir, "0199-uid-of-a-parser")).id, "a-parser");
    equal((await findSession(dir, "A-PARSER")).id, "a-parser");
  });
});

Deno.test("newestSession() resolves links on both sides", async () => {
  await withWorkspace(async (dir) => {
    const real = join(dir, "project");
    const link = join(dir, "link");
    const sessions = join(dir, "sessions");
    await Deno.mkdir(real);
    await Deno.mkdir(sessions);
    await Deno.symlink(real, link);
    await make(sessions, "by-link", { at: "2026-01-01T00:00:00.000Z", cwd: link });
    await make(sessions, "elsewhere", { at: "2026-01-02T00:00:00.000Z", cwd: dir });
    equal((await newestSession(sessions, real)).id, "by-link");
    equal((await newestSession(sessions, link)).id, "by-link");
    await rejects(newestSession(sessions, sessions), /No session was worked on in "/);
  });
});

Deno.test("newestSession() goes by what was last recorded and not by the file's own time", async () => {
  await withWorkspace(async (dir) => {
    await make(dir, "newer", { at: "2026-03-01T00:00:00.000Z" });
    await make(dir, "older", { at: "2026-01-01T00:00:00.000Z" });
    await Deno.utime(join(dir, "newer.jsonl"), 1, 1);
    equal((await newestSession(dir, "/p")).id, "newer");
  });
});

Deno.test("formatSessions() cuts a long list and says how much is left", async () => {
  await withWorkspace(async (dir) => {
    for (const n of [1, 2, 3]) await make(dir, `s${n}`, { at: `2026-01-0${n}T00:00:00.000Z` });
    const { sessions } = await listSessions(dir);
    const lines = formatSessions(sessions, 2).split("\n");
    match(lines[0] ?? "", /^ {2}s3 {2}2026-01-03 00:00 {2}"hello" {2}\/p$/);
    equal(lines.slice(2), ["  and 1 more"]);
  });
});

Deno.test("matchSessions() finds one without a title by its first words, as the list names it", () => {
  const untitled = { id: "a", title: "", firstText: "Fix the parser, please" };
  const titled = { id: "b", title: "Parser", firstText: "do not look here" };
  const sessions = [untitled, titled];
  equal(matchSessions(sessions, "fix the").map(({ id }) => id), ["a"]);
  equal(matchSessions(sessions, "look here"), []);
});

Deno.test("a session from a clock that was years ahead is not the newest", () =>
  withWorkspace(async (dir) => {
    const now = new Date("2026-03-01T12:00:00.000Z");
    await make(dir, "ahead", { at: "2038-01-19T00:00:00.000Z" });
    await make(dir, "now", { at: "2026-03-01T11:00:00.000Z" });
    await make(dir, "zone", { at: "2026-03-02T01:00:00.000Z" });
    const order = (await listSessions(dir, now)).sessions.map(({ id }) => id);
    equal([order, (await newestSession(dir, "/p", now)).id], [["zone", "now", "ahead"], "zone"]);
  }));
