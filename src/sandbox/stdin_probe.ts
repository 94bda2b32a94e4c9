/**
 * Whether a program is waiting for input. On Linux the kernel says in which call a thread sleeps and on which file; the
 * answer is exact in both directions for reads, epoll and select, and a guess for poll. Elsewhere nobody says.
 */
import { readAll } from "@/sandbox/read_all.ts";
import { type Launch, launch } from "@/sandbox/spawn.ts";

/** `reads`: somebody is waiting for what we have not sent. `other`: certainly nobody is. */
export type InputState = "reads" | "other" | "unknown";

/** Processes of one command that are looked at. */
const PROCESSES_MAX = 32;

/** For each pid: the call of each thread and where it sleeps, its open files, and what its epolls watch. */
const SCRIPT = `
for pid in "$@"; do
  for task in /proc/"$pid"/task/*; do
    call=; wchan=
    read -r call 2>/dev/null < "$task/syscall"
    read -r wchan 2>/dev/null < "$task/wchan"
    echo "call $pid \${call:--} | \${wchan:--}"
  done 2>/dev/null
  echo "files $pid"
  ls -ln "/proc/$pid/fd" 2>/dev/null
  grep -H '^tfd:' /proc/"$pid"/fdinfo/* 2>/dev/null
done
exit 0
`;

/** Which processes to look at, and how. */
export type ProbeOptions = {
  pids: readonly number[];
  helperEnv: Launch["env"];
  /** The command has a terminal of its own, which it reads from in place of our pipe. */
  hasTerminal: boolean;
};

/** Looks at the processes of a command; `root` is the one we started, whose standard input is our pipe. */
export async function probeInput(
  root: number,
  { pids, helperEnv, hasTerminal }: ProbeOptions,
): Promise<InputState> {
  if (Deno.build.os !== "linux" || pids.length === 0) return "unknown";
  const asked = [root, ...pids.filter((pid) => pid !== root)].slice(0, PROCESSES_MAX);
  const child = launch({
    program: "/bin/sh",
    args: ["-c", SCRIPT, "sh", ...asked.map(String)],
    cwd: "/",
    env: helperEnv,
    stdin: "null",
  });
  const { stdout } = await readAll(child);
  const text = new TextDecoder().decode(stdout);
  return judgeInput(root, text, { arch: Deno.build.arch, hasTerminal });
}

type Seen = {
  calls: { number: number; args: readonly number[]; wchan: string }[];
  /** Open file number to what it is. */
  files: Map<number, string>;
  readable: Set<number>;
  /** Number of an epoll to the file numbers it watches. */
  watched: Map<number, number[]>;
};

/** System calls by architecture: those that wait for one file, and those that wait for several. */
const CALLS: Readonly<
  Record<string, { read: number[]; epoll: number[]; select: number[]; poll: number[] }>
> = {
  x86_64: { read: [0, 17, 19], epoll: [232, 281, 441], select: [23, 270], poll: [7, 271] },
  aarch64: { read: [63, 65, 67], epoll: [22, 441], select: [72], poll: [73] },
};

/** What the script printed, judged. */
export function judgeInput(
  root: number,
  text: string,
  { arch, hasTerminal = false }: { arch: string; hasTerminal?: boolean },
): InputState {
  const calls = CALLS[arch];
  if (calls === undefined) return "unknown";
  const processes = parse(text);
  const pipe = processes.get(root)?.files.get(0);
  // A root that has closed its input, or has gone while others live, asks for nothing.
  if (pipe === undefined) return processes.size === 0 ? "unknown" : "other";
  if (!pipe.startsWith("pipe:") && !pipe.startsWith("socket:")) return "other";
  const isOurs = (file: string) => file === pipe || (hasTerminal && TERMINAL.test(file));
  let isSure = true;
  for (const seen of processes.values()) {
    const state = stateOf(seen, isOurs, calls);
    if (state === "reads") return "reads";
    if (state === "unknown") isSure = false;
  }
  return isSure ? "other" : "unknown";
}

/** Where a thread sleeps that reads from a pipe, or from a terminal. */
const READING = /pipe_read|n_tty_read|wait_woken/;

/** The end of a terminal that programs read from. */
const TERMINAL = /^\/dev\/(pts\/\d+|tty)$/;

function stateOf(
  seen: Seen,
  isOurFile: (file: string) => boolean,
  calls: NonNullable<typeof CALLS[string]>,
): InputState {
  const isOurs = (file: number | undefined) =>
    file !== undefined && isOurFile(seen.files.get(file) ?? "");
  const ours = [...seen.files].filter(([file]) => isOurs(file)).map(([file]) => file);
  if (ours.length === 0) return "other";
  let state: InputState = "other";
  for (const { number, args: [first = -1, second = -1], wchan } of seen.calls) {
    if (calls.read.includes(number) && isOurs(first)) return "reads";
    if (calls.epoll.includes(number) && seen.watched.get(first)?.some(isOurs)) return "reads";
    // The lowest file numbers only: with one of them, it is ours or nobody's.
    if (calls.select.includes(number) && first === 1 && isOurs(0)) return "reads";
    // The files are in the memory of the process; with one asked for and nothing else to wait for, it is ours.
    const pollsOne = calls.poll.includes(number) && second === 1;
    if (pollsOne && !waitsForOther(seen, isOurFile)) return "reads";
    // The call may be hidden from us (Yama); where it sleeps is not.
    if (number < 0 && READING.test(wchan) && !waitsForOther(seen, isOurFile)) return "reads";
    if (
      number < 0 && /ep_poll|epoll_wait/.test(wchan) &&
      [...seen.watched.values()].flat().some(isOurs)
    ) return "reads";
    if (number < 0 && wchan === "-") state = "unknown";
  }
  return state;
}

/** Whether there is another pipe, socket or the like that a single wait could be for. */
function waitsForOther(
  { files, readable }: Seen,
  isOurFile: (file: string) => boolean,
): boolean {
  return [...files].some(([file, what]) =>
    file > 2 && !isOurFile(what) && readable.has(file) && /^(pipe|socket|anon_inode):/.test(what)
  );
}

function parse(text: string): Map<number, Seen> {
  const processes = new Map<number, Seen>();
  const of = (pid: number): Seen => {
    const seen = processes.get(pid) ?? {
      ...{ calls: [], files: new Map(), readable: new Set(), watched: new Map() },
    };
    processes.set(pid, seen);
    return seen;
  };
  let current = 0;
  for (const line of text.split("\n")) {
    const call = /^call (\d+) (.*) \| (.*)$/.exec(line);
    if (call !== null) {
      const [number = "-", ...args] = (call[2] ?? "").split(" ");
      of(Number(call[1])).calls.push({
        number: /^\d+$/.test(number) ? Number(number) : number === "running" ? -2 : -1,
        args: args.map(Number),
        wchan: call[3] ?? "-",
      });
    }
    const files = /^files (\d+)$/.exec(line);
    if (files !== null) current = Number(files[1]);
    const file = /^l([r-]).* (\d+) -> (.*)$/.exec(line);
    if (file !== null) {
      of(current).files.set(Number(file[2]), file[3] ?? "");
      if (file[1] === "r") of(current).readable.add(Number(file[2]));
    }
    const watch = /^\/proc\/(\d+)\/fdinfo\/(\d+):tfd:\s*(\d+)/.exec(line);
    if (watch !== null) {
      const { watched } = of(Number(watch[1]));
      watched.set(Number(watch[2]), [...watched.get(Number(watch[2])) ?? [], Number(watch[3])]);
    }
  }
  return processes;
}
