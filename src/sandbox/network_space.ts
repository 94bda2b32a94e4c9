/**
 * The network namespace of a run: one for all its commands, so that a server which one of them has left running is reached
 * by the next. A process that only waits keeps it. Nothing in it leads out but, where there is one, the forwarder to the
 * egress proxy's socket.
 */
import { settlesWithin } from "@/lib/within.ts";
import forwardText from "@/sandbox/egress/forward.ts" with { type: "text" };
import type { PrivateDir } from "@/sandbox/private_dir.ts";
import type { Processes } from "@/sandbox/processes.ts";
import type { Running } from "@/sandbox/running.ts";
import { StartError } from "@/sandbox/spawn.ts";

/** Says its number and waits for the end of its input. */
const KEEP = "echo pid $$; exec cat >/dev/null";
/** Patient, because a machine may be under load; whatever it cannot start ends at once. */
const START_MS = 30_000;

/** What it is made with. */
export type NetworkSpaceParts = {
  processes: Processes;
  /** Absolute paths. */
  bwrap: string;
  nsenter: string;
  private: PrivateDir;
};

/** Opened once a run; ends when this program does, however that happens. */
export class NetworkSpace {
  readonly #parts: NetworkSpaceParts;
  readonly #keeper: Running;
  readonly #pid: string;
  #isAlive = true;
  #forwarder: Running | undefined;
  #proxyPort: number | undefined;

  private constructor(parts: NetworkSpaceParts, keeper: Running, pid: string) {
    this.#parts = parts;
    this.#keeper = keeper;
    this.#pid = pid;
    void keeper.ended.then(() => {
      this.#isAlive = false;
    });
  }

  /** Make it; undefined where the machine does not let us. */
  static async open(parts: NetworkSpaceParts): Promise<NetworkSpace | undefined> {
    const isolation = ["--unshare-user", "--unshare-net", "--cap-drop", "ALL"];
    const kept = await startSaying(parts.processes, /^pid (\d+)\n/, {
      program: parts.bwrap,
      args: [
        ...[...isolation, "--die-with-parent", "--new-session", "--dev-bind", "/", "/"],
        ...["--", "/bin/sh", "-c", KEEP],
      ],
    });
    return kept === undefined ? undefined : new NetworkSpace(parts, kept.running, kept.said);
  }

  /** What a program is started through to be in it; undefined when it has ended. */
  get entrance(): readonly string[] | undefined {
    if (!this.#isAlive) return undefined;
    const spaces = [`--user=/proc/${this.#pid}/ns/user`, `--net=/proc/${this.#pid}/ns/net`];
    return [this.#parts.nsenter, "--preserve-credentials", ...spaces, "--"];
  }

  /** The port on its loopback that leads to the egress proxy; undefined where none does. */
  get proxyPort(): number | undefined {
    return this.#isAlive ? this.#proxyPort : undefined;
  }

  /** Have connections in it go to this socket. False where that cannot be. */
  async forwardTo(socket: string): Promise<boolean> {
    const [program = "", ...args] = this.entrance ?? [];
    // A program of its own cannot run another script.
    if (program === "" || Deno.build.standalone) return false;
    const script = this.#parts.private.file(new TextEncoder().encode(forwardText));
    const started = await startSaying(this.#parts.processes, /^port (\d+)\n/, {
      program,
      args: [
        ...[...args, Deno.execPath(), "run", "-q", "--no-prompt", "--no-config", "--no-lock"],
        ...["--no-remote", "--no-npm", "--no-code-cache", "--ext=ts", "--allow-net"],
        ...[`--allow-read=${socket}`, `--allow-write=${socket}`, script, socket],
      ],
      env: { DENO_DIR: this.#parts.private.dir("deno"), DENO_NO_UPDATE_CHECK: "1" },
    });
    if (started === undefined) return false;
    this.#forwarder = started.running;
    this.#proxyPort = Number(started.said);
    void started.running.ended.then(() => {
      this.#proxyPort = undefined;
    });
    return true;
  }

  /** End it. What still runs in it keeps it, and has no way out any more. */
  async close(): Promise<void> {
    await Promise.all([this.#forwarder?.kill(0), this.#keeper.kill(0)]);
  }
}

type Started = { running: Running; said: string };

/** Start a program that stays and says something at first; undefined where it does not. */
async function startSaying(
  processes: Processes,
  pattern: RegExp,
  command: { program: string; args: readonly string[]; env?: Readonly<Record<string, string>> },
): Promise<Started | undefined> {
  const first = Promise.withResolvers<string | undefined>();
  const decoder = new TextDecoder();
  let text = "";
  let running: Running;
  try {
    const env = { PATH: processes.ownPath, ...command.env };
    running = processes.start({ ...command, env, cwd: "/", stdin: "pipe" }, (chunk, pipe) => {
      if (pipe === "stdout") text += decoder.decode(chunk, { stream: true });
      const said = pattern.exec(text)?.[1];
      if (said !== undefined) first.resolve(said);
    });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return undefined;
  }
  void running.ended.then(() => first.resolve(undefined));
  const hasSaid = await settlesWithin(first.promise, START_MS);
  const said = hasSaid ? await first.promise : undefined;
  if (said !== undefined) return { running, said };
  await running.kill(0);
  return undefined;
}
