/**
 * The parent-death guard: a shell that waits for us to go. It holds a pipe from us; when the pipe closes, for whatever
 * reason (`kill -9` included), it kills every process of ours that is left: by group, with all that is below one, and on
 * Linux by the mark in the environment, which also finds what left its session and lost its parent.
 */
import { type Child, type Launch, launch, signalGroup } from "@/sandbox/spawn.ts";

/** Reads `+pgid` and `-pgid`, one a line; at the end of input it sweeps. `$1` is the mark. */
const SCRIPT = `
trap '' INT TERM HUP QUIT
groups=' '
while IFS= read -r line; do
  group=\${line#?}
  case $line in
    +*) groups="$groups$group " ;;
    -*) case $groups in *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;; esac ;;
  esac
done
# Number, parent and group of every living process. A name may hold a line end; who has such a one is found by the others.
table() {
  if [ -d /proc/self ]; then
    for dir in /proc/[0-9]*; do
      IFS= read -r stat < "$dir/stat" || continue
      set -- \${stat##*) }
      case $1 in Z|X) ;; *) echo "\${dir#/proc/} $2 $3" ;; esac
    done 2>/dev/null
  else
    ps -A -o pid=,ppid=,pgid= 2>/dev/null
  fi
}
# All that is below what we were told of, without the first process of each group.
look() {
  rows=$(table) below="$below$groups" found=
  for round in 1 2 3 4 5 6 7 8; do
    more=
    while read -r pid parent group; do
      case $below in *" $pid "*) continue ;; esac
      case $groups in *" $group "*) ;; *) case $below in *" $parent "*) ;; *) continue ;; esac ;; esac
      below="$below$pid " found="$found $pid" more=1
    done <<END
$rows
END
    [ -n "$more" ] || return
  done
}
# The first processes go last and do nothing more until then: what lost its parent may have gone to them, and a death cuts
# the links by which the others are found.
for group in $groups; do kill -s STOP -- "-$group" 2>/dev/null; done
below=' '
for sweep in 1 2 3 4 5; do
  look
  [ -n "$found" ] || break
  for pid in $found; do kill -s KILL "$pid" 2>/dev/null; done
done
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
if [ -d /proc/self ]; then
  for round in 1 2 3 4 5; do
    found=
    for file in $(grep -laF -- "$1" /proc/[0-9]*/environ 2>/dev/null); do
      pid=\${file#/proc/}
      kill -s KILL "\${pid%/environ}" 2>/dev/null && found=1
    done
    [ -n "$found" ] || break
  done
fi
`;

/** Started with the first process, restarted if somebody killed it. There is none on Windows. */
export class Guard {
  readonly #mark: string;
  readonly #env: Launch["env"];
  readonly #groups = new Set<number>();
  #child: Child | undefined;
  #pipe: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #isClosed = false;

  constructor(mark: string, env: Launch["env"]) {
    this.#mark = mark;
    this.#env = env;
  }

  /** Have it running before a process is started, so that the mark already counts. */
  ready(): void {
    if (this.#child !== undefined || this.#isClosed || Deno.build.os === "windows") return;
    const child = launch({
      program: "/bin/sh",
      args: ["-c", SCRIPT, "harness-guard", this.#mark],
      cwd: "/",
      env: this.#env,
      stdin: "piped",
    });
    child.unref();
    this.#child = child;
    this.#pipe = child.stdin.getWriter();
    void this.#dropWhenGone(child);
    for (const group of this.#groups) this.#tell(`+${group}`);
  }

  async #dropWhenGone(child: Child): Promise<void> {
    await Promise.all([child.status, child.stdout.cancel(), child.stderr.cancel()]);
    if (this.#child !== child) return;
    void Promise.allSettled([this.#pipe?.abort()]); // Nobody reads from it any more.
    this.#child = undefined;
    this.#pipe = undefined;
    if (this.#groups.size > 0) this.ready();
  }

  watch(pgid: number): void {
    this.#groups.add(pgid);
    this.#tell(`+${pgid}`);
  }

  /** The group is empty. Its number may be given to somebody else from now on. */
  forget(pgid: number): void {
    if (this.#groups.delete(pgid)) this.#tell(`-${pgid}`);
  }

  #tell(line: string): void {
    // A guard that is gone is replaced by a new one, which is told everything again.
    this.#pipe?.write(new TextEncoder().encode(`${line}\n`)).catch((error: unknown) => {
      if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
    });
  }

  /** Groups that are still watched. */
  get groups(): ReadonlySet<number> {
    return this.#groups;
  }

  /** Let it sweep and end. Nothing can be started afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const child = this.#child;
    const pipe = this.#pipe;
    this.#child = undefined;
    this.#pipe = undefined;
    child?.ref();
    // A guard that was killed has closed the pipe already.
    await Promise.allSettled([pipe?.close(), child?.status]);
    // Where there is none, or it was killed just now.
    for (const group of this.#groups) signalGroup(group, "SIGKILL");
    this.#groups.clear();
  }
}
