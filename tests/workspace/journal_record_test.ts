import { deepStrictEqual as equal } from "node:assert/strict";
import type { GitFacts } from "@/workspace/commit/git_entry.ts";
import { fc } from "../support/property.ts";
import { JournalFold } from "@/workspace/journal_fold.ts";
import { type JournalRecord, parseRecord, printRecord } from "@/workspace/journal_record.ts";

const HASH = "a".repeat(64);
const stored = fc.constantFrom(
  { k: "absent" as const },
  { k: "dir" as const },
  { k: "link" as const, h: "../\u2028 target" },
  { k: "file" as const, h: HASH, m: 0o644, n: 3 },
  { k: "file" as const, h: HASH, m: 0, n: 9_000_000_000, big: true as const },
);
const name = fc.string({ unit: "binary", maxLength: 12 });
const id = fc.constantFrom("s-1", "s-2", "t-1");
const edit = fc.record({
  v: fc.constant(1 as const),
  op: fc.constant("edit" as const),
  id,
  session: fc.constantFrom("s", "t"),
  turn: fc.nat(9),
  call: name,
  tool: name,
  agent: fc.option(name),
  pid: fc.nat(),
  start: name,
  at: name,
  t: name,
  paths: fc.array(
    fc.record({ p: name, rel: name, top: name, b: stored, a: stored, dirs: fc.array(name) }),
    {
      maxLength: 3,
    },
  ),
});
const move = fc.record({
  v: fc.constant(1 as const),
  op: fc.constantFrom("undo" as const, "redo" as const),
  id,
  session: name,
  at: name,
  t: name,
  modes: fc.constant({ "/a": 0o755 }),
  dirs: fc.array(name, { maxLength: 2 }),
});
const FACTS: GitFacts = {
  repository: {
    top: "/t",
    gitDir: "/t/.git",
    commonDir: "/t/.git",
    index: "/t/.git/index",
    objectFormat: "sha1",
  },
  paths: [],
};

const record: fc.Arbitrary<JournalRecord> = fc.oneof(
  edit,
  move,
  fc.record({ op: fc.constant("done" as const), id }),
  fc.record({ op: fc.constant("moved" as const), id, gone: fc.array(name, { maxLength: 2 }) }),
  fc.record({ op: fc.constant("stayed" as const), id }),
  fc.record({ op: fc.constant("freed" as const), ids: fc.array(id) }),
  fc.record({
    op: fc.constant("committed" as const),
    id,
    c: name,
    p: fc.option(name),
    ref: name,
    git: fc.constant(FACTS),
  }),
  fc.record({ op: fc.constant("skipped" as const), id, why: name }),
);

Deno.test("parseRecord() gives back what printRecord() printed, on one line", () => {
  fc.assert(fc.property(record, (one) => {
    const line = printRecord(one);
    equal(line.indexOf("\n"), line.length - 1);
    equal(JSON.stringify(parseRecord(line)), JSON.stringify(one));
  }));
});

Deno.test("parseRecord() takes no part of a line for a record, and keeps fields it does not know", () => {
  const line = '{"op":"done","id":"s-1","later":[1]}';
  for (let length = 0; length < line.length; length++) {
    equal(parseRecord(line.slice(0, length)), undefined);
  }
  equal(parseRecord(line), { op: "done", id: "s-1", later: [1] } as unknown as JournalRecord);
  for (
    const other of ['{"v":2,"op":"edit"}', '{"op":"intent","id":"s-1"}', "null", "[]", '"edit"']
  ) {
    equal(parseRecord(other), undefined);
  }
});

Deno.test("JournalFold takes lines in any order without an error, and names no edit that was not recorded", () => {
  fc.assert(fc.property(fc.array(record, { maxLength: 30 }), (records) => {
    const fold = new JournalFold();
    for (const one of records) fold.add(one);
    const known = new Set(records.flatMap((one) => one.op === "edit" ? [one.id] : []));
    for (const each of fold.edits()) equal(known.has(each.record.id), true);
    for (const session of ["s", "t"]) {
      for (const each of fold.redoable(session) ?? []) equal(known.has(each), true);
      equal(known.has(fold.nextId(session)), false);
    }
  }));
});
