/**
 * Which processes exist and which belong to a command of ours. Deno may not read `/proc` (only under all permissions,
 * measured with 2.9.6), so one small helper process reads it for us.
 */
import { readAll } from "@/sandbox/read_all.ts";
import { type Launch, launch } from "@/sandbox/spawn.ts";

/** One living process. `start` tells two users of one pid apart; empty where the system does not say. */
export type ProcessRow = {
  pid: number;
  ppid: number;
  pgid: number;
  session: number;
  /** One letter: R running, S sleeping, D in the kernel, T stopped. */
  state: string;
  /** CPU time used so far, in hundredths of a second. */
  cpu: number;
  start: string;
};

/**
 * A command of ours: the process that was started and the mark that its environment carries. `isAdopting`: what loses its
 * parent goes to that process.
 */
export type Tree = { pid: number; mark: string; isAdopting?: boolean };

/** What lists them: every process, then those whose environment has the mark. Nothing in it is joined from data. */
const LINUX_SCRIPT = 'cat /proc/[0-9]*/stat 2>/dev/null; echo "= marked"; ' +
  'grep -laF -- "$1" /proc/[0-9]*/environ 2>/dev/null; exit 0';
const BSD_SCRIPT = "ps -axo pid=,ppid=,pgid=,state=,time=; exit 0";

/** All processes, and which of them carry the mark. */
export type ProcessTable = { rows: readonly ProcessRow[]; marked: ReadonlySet<number> };

/** The table as it is now; empty on Windows. `helperEnv` needs a `PATH` with the usual tools. */
export async function readTable(mark: string, helperEnv: Launch["env"]): Promise<ProcessTable> {
  if (Deno.build.os === "windows") return { rows: [], marked: new Set() };
  const isLinux = Deno.build.os === "linux";
  const script = isLinux ? LINUX_SCRIPT : BSD_SCRIPT;
  const child = launch({
    program: "/bin/sh",
    args: ["-c", script, "sh", mark],
    cwd: "/",
    env: helperEnv,
    stdin: "null",
  });
  const { stdout } = await readAll(child);
  const text = new TextDecoder().decode(stdout);
  return isLinux ? parseLinux(text) : { rows: parseBsd(text), marked: new Set() };
}

/**
 * The living processes of a tree: of its group and session, marked, below one of these, or known from before. A process
 * that left its session, cleared its environment and lost its parent before anybody looked is among them only where the tree
 * adopts; otherwise a PID namespace alone holds such a one.
 */
export function membersOf(
  tree: Tree,
  { rows, marked }: ProcessTable,
  before: readonly ProcessRow[] = [],
): ProcessRow[] {
  const known = new Set(before.map(identity));
  const isRoot = (row: ProcessRow) =>
    row.pid === tree.pid || row.pgid === tree.pid || row.session === tree.pid ||
    marked.has(row.pid) || known.has(identity(row));
  const members = new Set(rows.filter(isRoot).map((row) => row.pid));
  for (let size = -1; size !== members.size;) {
    size = members.size;
    for (const row of rows) if (members.has(row.ppid)) members.add(row.pid);
  }
  return rows.filter((row) => members.has(row.pid) && !"ZX".includes(row.state));
}

/** A pid alone may have been given to somebody else meanwhile. */
function identity({ pid, pgid, start }: ProcessRow): string {
  return start === "" ? `${pid} of ${pgid}` : `${pid} since ${start}`;
}

/** The name in parentheses may hold anything, also parentheses and line ends; it has at most 64 bytes. */
const STAT = /^(\d+) \([\s\S]{0,64}\) ([A-Za-z]) (-?\d.*)$/gm;

/** `cat /proc/*\/stat`, then a line `= marked`, then paths `/proc/<pid>/environ`. */
export function parseLinux(text: string): ProcessTable {
  const split = text.lastIndexOf("\n= marked\n");
  const rows: ProcessRow[] = [];
  for (const [, pid, state, rest] of text.slice(0, split).matchAll(STAT)) {
    const fields = (rest ?? "").split(" ");
    const at = (index: number) => Number(fields[index] ?? 0);
    rows.push({
      pid: Number(pid),
      ppid: at(0),
      pgid: at(1),
      session: at(2),
      state: state ?? "?",
      cpu: at(10) + at(11),
      start: fields[18] ?? "",
    });
  }
  const paths = text.slice(split).matchAll(/^\/proc\/(\d+)\/environ$/gm);
  return { rows, marked: new Set([...paths].map(([, pid]) => Number(pid))) };
}

/** `ps -axo pid=,ppid=,pgid=,state=,time=`; the session is not a number there. */
export function parseBsd(text: string): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const line of text.split("\n")) {
    const [, pid, ppid, pgid, state, time] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)/.exec(line) ?? [];
    if (pid === undefined) continue;
    rows.push({
      pid: Number(pid),
      ppid: Number(ppid),
      pgid: Number(pgid),
      session: 0,
      state: (state ?? "?").slice(0, 1),
      cpu: Math.round(secondsOf(time ?? "") * 100),
      start: "",
    });
  }
  return rows;
}

/** `1:02.34`, `1:02:03` or `1-02:03:04`. */
function secondsOf(time: string): number {
  const [days, clock] = time.includes("-") ? time.split("-") : ["0", time];
  const seconds = (clock ?? "").split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return Number(days) * 86_400 + seconds;
}
