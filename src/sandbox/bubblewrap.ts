/** bubblewrap with a system call filter: turns a complete launch into one inside a plan of mounts. */
import { CHILD_MARK, type Wrapper } from "@/sandbox/processes.ts";
import type { MountPlan } from "@/sandbox/mount_plan.ts";
import { ISOLATION } from "@/sandbox/linux_profile.ts";
import { withProxy } from "@/sandbox/network_env.ts";
import type { NetworkSpace } from "@/sandbox/network_space.ts";
import type { ResourceLimits } from "@/sandbox/policy.ts";
import type { PrivateDir } from "@/sandbox/private_dir.ts";
import { seccompProgram } from "@/sandbox/seccomp.ts";
import { StartError } from "@/sandbox/spawn.ts";
import type { Machine } from "@/sandbox/syscalls.ts";

/**
 * Opens what bubblewrap reads from descriptors: `$1` the filter, `$2` its arguments. They are not on the command line,
 * which everybody on the machine can read, because variables given to a server may be secrets. If a file is gone the shell
 * ends here.
 */
const OPEN = 'exec 3<"$1" 4<"$2"';
const START = 'shift 2; exec "$@"';

/** What the person's terminal or editor left open would be open inside as well: a socket to the desktop, say. */
const CLOSE_LOW = "exec 5<&- 6<&- 7<&- 8<&- 9<&-";

/** For the probe: the namespaces of the outside on 5 to 9. */
const OPEN_NAMESPACES = "exec 5</proc/self/ns/user 6</proc/self/ns/mnt 7</proc/self/ns/pid " +
  "8</proc/self/ns/net 9</proc/self/ns/ipc";

/**
 * Sets the limits where they count for this user namespace alone: outside, all programs of the person would count.
 * `-u` is bash's letter, `-p` dash's. A limit that is lower already stays. `$1` processes, `$2` blocks of 512 bytes.
 */
const INNER =
  "{ [ $1 = 0 ] || ulimit -u $1 || ulimit -p $1; [ $2 = 0 ] || ulimit -f $2; ulimit -c 0; } " +
  '2>/dev/null; shift 2; exec "$@"';

const BLOCK_BYTES = 512;

/** What bubblewrap is started with. */
export type BubblewrapParts = {
  /** Absolute path. */
  program: string;
  machine: Machine;
  private: PrivateDir;
  /** `HOME` and the temporary directory inside. */
  home: string;
  temporary: string;
  /** What a program inside has to be told of what is where, beside its own environment. */
  env(own: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  limits(): ResourceLimits;
  /** The network namespace of the run. Without it, or when it has ended, each command has one of its own. */
  network(): NetworkSpace | undefined;
};

type Launch = Parameters<Wrapper>[0];

export class Bubblewrap {
  readonly #parts: BubblewrapParts;
  readonly #filter: string;
  #shell = "/bin/sh";
  #closeHigh = "";

  constructor(parts: BubblewrapParts) {
    this.#parts = parts;
    this.#filter = parts.private.file(seccompProgram(parts.machine));
  }

  /** Close these as well, which are 10 and above; `bash` is its path, because other shells know one digit only. */
  closeAlso(descriptors: readonly number[], bash: string): void {
    this.#shell = bash;
    this.#closeHigh = `exec ${descriptors.map((number) => `${number}<&-`).join(" ")}; `;
  }

  /** The launch inside a boundary. `isProbe` keeps the outer namespaces on descriptors 5 to 9. */
  wrap(plan: MountPlan, inner: Launch, { isProbe = false } = {}): Launch {
    const { program, home, temporary, limits } = this.#parts;
    const { [CHILD_MARK]: mark, ...rest } = inner.env;
    const network = this.#parts.network();
    const entrance = network?.entrance;
    const own = { ...rest, ...this.#parts.env(rest), HOME: home, TMPDIR: temporary };
    const env = withProxy(own, network?.proxyPort);
    const isolation = [...ISOLATION, ...(entrance === undefined ? ["--unshare-net"] : [])];
    const { processesMax, fileMaxMb } = limits();
    const blocks = Math.ceil(fileMaxMb * 1_000_000 / BLOCK_BYTES);
    const low = isProbe ? OPEN_NAMESPACES : CLOSE_LOW;
    const script = `${this.#closeHigh}${low}; ${OPEN}; ${START}`;
    return {
      program: this.#shell,
      args: [
        ...["-c", script, "sh", this.#filter, this.#arguments(plan, env, isolation)],
        ...[...entrance ?? [], program, "--args", "4"],
        // The mark is another one for each command and tells nothing; the file stays the same without it.
        ...(mark === undefined ? [] : ["--setenv", CHILD_MARK, mark]),
        ...["--chdir", inner.cwd, "--"],
        ...["/bin/sh", "-c", INNER, "sh", String(processesMax), String(blocks)],
        ...[inner.program, ...inner.args],
      ],
      cwd: inner.cwd,
      // Empty, not only cleared inside: bubblewrap is process 1 there and keeps its own environment, in which a key was
      // readable at /proc/1/environ.
      env: {},
    };
  }

  /** The file with the arguments, each ended by a NUL. */
  #arguments(
    plan: MountPlan,
    env: Readonly<Record<string, string>>,
    isolation: readonly string[],
  ): string {
    const variables = Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]);
    const all = [...isolation, "--seccomp", "3", ...plan.args, ...variables];
    // It would end an argument early and begin another one.
    if (all.some((arg) => arg.includes("\0"))) {
      throw new StartError("other", "Cannot start it: a variable or a path holds a NUL", undefined);
    }
    return this.#parts.private.file(
      new TextEncoder().encode(all.map((arg) => `${arg}\0`).join("")),
    );
  }
}
