/** Boards in tests: each opening is a connection of its own, as another process would have. */
import { join } from "node:path";
import { Board } from "@/channel/board.ts";
import { Member } from "@/channel/member.ts";
import type { Script } from "./fake_api.ts";
import { until } from "./until.ts";
import { type WholeApp, type WholeAppOptions, withApp } from "./whole_app.ts";
import { withWorkspace } from "./workspace.ts";

export type BoardWorld = {
  /** Where boards are kept, and the workspace's top. */
  dir: string;
  top: string;
  /** The clock of everybody. */
  clock: { ms: number };
  open(host?: string): Promise<Board>;
  join(model?: string, host?: string): Promise<Member>;
  path(name: string): string;
};

/** Opens what is asked for, and closes it afterwards. */
export async function withBoards(body: (world: BoardWorld) => Promise<void>): Promise<void> {
  await withWorkspace(async (root) => {
    const [dir, top] = [join(root, "channel"), join(root, "ws")];
    await Deno.mkdir(top);
    await using opened = new AsyncDisposableStack();
    const clock = { ms: 1_000_000 };
    const open = async (host = "here") => {
      const board = await Board.open({ dir, top, host, staleS: () => 120, now: () => clock.ms });
      opened.defer(() => board.close());
      return board;
    };
    const join_ = async (model = "ollama/m", host?: string) => {
      const member = await Member.join(await open(host), { model, label: "" });
      opened.defer(() => member.leave());
      return member;
    };
    await body({ dir, top, clock, open, join: join_, path: (name) => join(top, name) });
  });
}

/** The permissions of a child that is at work on a board. */
export const CHILD_FLAGS = [
  ...["run", "-q", "--no-prompt", "--no-remote", "--allow-read", "--allow-write"],
  ...["--config", new URL("../../deno.json", import.meta.url).pathname],
] as const;

/** Start a child of this module: `channel_child.ts`. */
export function channelChild(...args: readonly string[]): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: [...CHILD_FLAGS, new URL("./channel_child.ts", import.meta.url).pathname, ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

export type PeerWorld = WholeApp & {
  /** Another agent in the workspace of the program. */
  peer: Member;
  board: Board;
  /** Resolves when the program is on the board. */
  joined(): Promise<void>;
};

/** The whole program with another agent beside it; it has joined when the body begins, unless it was told not to. */
export async function withPeer(
  script: Script,
  body: (world: PeerWorld) => Promise<void>,
  { isAlone = false, ...options }: WholeAppOptions & { isAlone?: boolean } = {},
): Promise<void> {
  const set = ["CHANNEL_POLL_SECONDS=0.5", "AUTO_VERIFY=off", ...options.run?.set ?? []];
  await withApp(script, async (whole) => {
    const dir = join(whole.home, "channel");
    const board = await Board.open({
      dir,
      top: whole.dir,
      host: await hostName(),
      staleS: () => 120,
    });
    const peer = await Member.join(board, { model: "ollama/peer", label: "writing tests" });
    const joined = async () => {
      await whole.app.harness.makeReady();
      await until(async () => (await peer.peers()).length === 1);
    };
    try {
      if (!isAlone) await joined();
      else await peer.leave();
      await body({ ...whole, peer, board, joined });
    } finally {
      await peer.leave();
      board.close();
    }
  }, { ...options, run: { auto: true, ...options.run, set } });
}

async function hostName(): Promise<string> {
  return (await Deno.readTextFile("/etc/hostname")).trim();
}
