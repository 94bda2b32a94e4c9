import { deepStrictEqual as equal } from "node:assert/strict";
import { membersOf, parseBsd, parseLinux, type ProcessRow } from "@/sandbox/process_table.ts";

const rest = "34816 -1 4194304 100 0 0 0 7 5 0 0 20 0 1 0 987 1 2";

Deno.test("parseLinux() reads stat lines, names with anything in them included", () => {
  const text = `12 (sh) S 1 12 12 ${rest}\n13 (a) R 9 (b\nc)) R 12 12 12 ${rest}\n= marked\n` +
    "/proc/13/environ\n";
  const row = { pgid: 12, session: 12, cpu: 12, start: "987" };
  equal(parseLinux(text), {
    rows: [
      { pid: 12, ppid: 1, state: "S", ...row },
      { pid: 13, ppid: 12, state: "R", ...row },
    ],
    marked: new Set([13]),
  });
});

Deno.test("parseLinux() is not told of a mark by a process name", () => {
  const text = `12 (\n= marked\n) S 1 12 12 ${rest}\n= marked\n`;
  equal(parseLinux(text).marked, new Set());
});

Deno.test("parseBsd() reads ps with any form of time", () => {
  equal(parseBsd("   7     1     7 Ss    1:02.34\n 8 7 7 R+ 1-02:03:04\nnoise\n"), [
    { pid: 7, ppid: 1, pgid: 7, session: 0, state: "S", cpu: 6234, start: "" },
    { pid: 8, ppid: 7, pgid: 7, session: 0, state: "R", cpu: 9_378_400, start: "" },
  ]);
});

const row = (pid: number, ppid: number, more: Partial<ProcessRow> = {}): ProcessRow => ({
  ...{ pid, ppid, pgid: pid, session: pid, state: "S", cpu: 0, start: `${pid}` },
  ...more,
});
const pids = (rows: readonly ProcessRow[]) => rows.map(({ pid }) => pid);

Deno.test("membersOf() finds group, session, marked ones and everything below, not the dead", () => {
  const rows = [
    row(1, 0),
    row(10, 1),
    row(11, 1, { pgid: 10 }),
    row(12, 1, { session: 10 }),
    row(13, 1),
    row(14, 13),
    row(15, 11, { state: "Z" }),
    row(16, 1),
  ];
  const table = { rows, marked: new Set([13]) };
  equal(pids(membersOf({ pid: 10, mark: "m" }, table)), [10, 11, 12, 13, 14]);
});

Deno.test("membersOf() knows a process from before by pid and start, not by pid alone", () => {
  const rows = [row(20, 1), row(21, 1, { start: "later" })];
  const table = { rows, marked: new Set<number>() };
  const before = [row(20, 10), row(21, 10)];
  equal(pids(membersOf({ pid: 10, mark: "m" }, table, before)), [20]);
});
