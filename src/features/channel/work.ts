/** What turns have of the channel: the tools when there is somebody to use them with, claims around changes, and messages. */
import { claims } from "@/agent/guards/claims.ts";
import { describeFace, type Member } from "@/channel/member.ts";
import {
  changedText,
  chaseText,
  heardText,
  introduction,
  messageLine,
  refusalText,
} from "@/channel/text.ts";
import { once } from "@/lib/once.ts";
import { seenFrom } from "@/lib/path_within.ts";
import { Watch } from "@/channel/watch.ts";
import type { FeatureWork } from "@/compose/feature.ts";
import type { Event } from "@/protocol/event.ts";
import type { Hook } from "@/protocol/hook.ts";
import type { GuardedCall } from "@/protocol/policy.ts";
import type { ToolResult } from "@/protocol/tool.ts";
import type { RailItem } from "@/terminal/full/rail.ts";
import { channelTools } from "@/tools/mod.ts";
import type { Desk } from "./desk.ts";

/** The shortest time between two looks at the board, in ms. */
const POLL_MS_MIN = 500;
/** Without a person there is nobody to show anything: then only signs of life are given, in ms. */
const ALONE_POLL_MS = 10_000;

/** One for a conversation. */
export class ChannelWork implements Hook {
  readonly name = "channel";
  readonly #desk: Desk;
  readonly #isInteractive: boolean;
  readonly #watch = new Watch();
  /** Files that were taken for a call that has not ended, by call. */
  readonly #pending = new Map<string, readonly string[]>();
  /** Who waits for an answer of the model, which has read what they said. */
  readonly #owed = new Set<string>();
  /** Whom the model has asked something. */
  readonly #awaited = new Set<string>();
  /** Who has asked something that the model has not read. */
  #asking: ReadonlySet<string> = new Set();
  /** Changes of its files that the model was not told of yet. */
  readonly #changed = new Set<string>();
  /** Once they were offered they stay: the list is the start of what servers cache. */
  #isOffered = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  constructor(desk: Desk, { isInteractive }: { isInteractive: boolean }) {
    this.#desk = desk;
    this.#isInteractive = isInteractive;
  }

  work(): FeatureWork {
    const tools = this.#tools();
    const isOffered = () => this.#isOffered;
    // Without a terminal it is the first request that joins.
    if (this.#isInteractive) this.#begin();
    return {
      get tools() {
        return isOffered() ? tools : [];
      },
      guards: [claims((call, paths) => this.#holdFor(call, paths))],
      hooks: [this],
      sink: (event) => this.#note(event),
    };
  }

  /** The others; whoever waits for an answer needs the person, while nothing runs that would read it. */
  rows(): readonly RailItem[] {
    const isIdle = !this.#desk.parts.live.harness.isRunning;
    return this.#desk.peers.map((peer) => ({
      name: peer.id,
      detail: this.#asking.has(peer.id) ? "asks something" : describeFace(peer),
      ...(isIdle && this.#asking.has(peer.id) ? { needs: true } : {}),
    }));
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  beforeRequest(): Promise<string | undefined> {
    this.#begin();
    return this.#desk.tolerant(async () => {
      await this.#desk.refresh();
      const { member, peers } = this.#desk;
      if (member === undefined || (peers.length === 0 && !this.#isOffered)) return undefined;
      const isFirst = !this.#isOffered;
      this.#isOffered = true;
      const texts: string[] = [];
      const board = await this.#desk.board();
      if (isFirst) texts.push(introduction(member.id, peers, (await board.look()).claims));
      const heard = await this.#hear(member);
      if (heard !== undefined) texts.push(heard);
      await this.#lookAtFiles(member);
      if (this.#changed.size > 0) texts.push(changedText([...this.#changed], board.top));
      this.#changed.clear();
      return texts.join("\n\n") || undefined;
    }, undefined);
  }

  afterTool(call: GuardedCall, { status, changed = [] }: ToolResult): Promise<void> | undefined {
    const taken = this.#pending.get(call.id) ?? [];
    this.#pending.delete(call.id);
    const { member, peers } = this.#desk;
    if (member === undefined || peers.length === 0) return undefined;
    return this.#desk.tolerant(async () => {
      const written = status === "ok" || status === "interrupted" ? changed : [];
      if (written.length > 0) {
        await member.claim(written, this.#terms(call));
        await this.#watch.note(written);
      }
      const unused = taken.filter((path) => !written.includes(path));
      if (unused.length > 0) await member.release(unused);
    }, undefined);
  }

  beforeStop(): Promise<string | undefined> {
    const owed = this.#desk.peers.map(({ id }) => id).filter((id) => this.#owed.has(id));
    // Once: a model that does not do it now would not do it then.
    this.#owed.clear();
    return Promise.resolve(owed.length === 0 ? undefined : chaseText(owed));
  }

  async #hear(member: Member): Promise<string | undefined> {
    const heard = await member.hear("told");
    this.#asking = new Set();
    for (const { receiver, sender, voice } of heard) {
      if (receiver === null || voice === "board") continue;
      // What answers a question of its own asks for no answer.
      if (!this.#awaited.delete(sender)) this.#owed.add(sender);
    }
    return heard.length === 0 ? undefined : heardText(heard);
  }

  /** `to`: the agent that was meant, or nobody where all of them were. */
  #hasSaid(to: string | undefined): void {
    if (to === undefined) this.#owed.clear();
    else if (!this.#owed.delete(to)) this.#awaited.add(to);
  }

  /** Taken before the call is decided about, so that two that come at once do not both get it. */
  async #holdFor(call: GuardedCall, paths: readonly string[]): Promise<string | undefined> {
    const { settings, live } = this.#desk.parts;
    if (!this.#desk.isOn || !settings.current.CHANNEL_CLAIMS) return undefined;
    return await this.#desk.tolerant(async () => {
      const board = await this.#desk.board();
      // Outside of a turn a call is only talked about.
      if (!live.harness.isRunning) {
        const held = await (this.#desk.member?.heldByOthers(paths) ?? board.held(paths));
        return held.length === 0 ? undefined : refusalText(held, board.viewer());
      }
      await this.#desk.refresh();
      const { member, peers } = this.#desk;
      if (member === undefined || peers.length === 0) return undefined;
      const taken = await member.claim(paths, this.#terms(call));
      if (!taken.ok) return refusalText(taken.held, board.viewer());
      const added = taken.added.map(({ path }) => path);
      if (added.length > 0) this.#pending.set(call.id, added);
      await this.#watch.note(added);
      return undefined;
    }, undefined);
  }

  #terms({ tool }: GuardedCall) {
    const ttlS = this.#desk.parts.settings.current.CHANNEL_WRITE_TTL;
    return { kind: "write", reason: `${tool.name} by its model`, ttlS } as const;
  }

  #note(event: Event): void {
    this.#desk.sink(event);
    if (event.type === "turn_end") this.#letGo([...this.#pending.keys()]);
    // What was taken for a call that then did not run: refused, or found to change nothing.
    if (event.type === "message" && event.message.role === "tool") {
      this.#letGo([event.message.callId]);
    }
  }

  #letGo(calls: readonly string[]): void {
    const taken = calls.flatMap((id) => this.#pending.get(id) ?? []);
    for (const id of calls) this.#pending.delete(id);
    if (taken.length === 0) return;
    void this.#desk.tolerant(async () => void await this.#desk.member?.release(taken), undefined);
  }

  #tools() {
    const desk = this.#desk;
    const member = async () => {
      const joined = await desk.join();
      if (joined === undefined) {
        throw new Error("This session is off the board; the user puts it there with /agents on");
      }
      return joined;
    };
    return channelTools({
      describe: () => desk.describe(),
      say: async (to, text) => {
        const sent = await (await member()).say(to, text);
        if (sent.ok) this.#hasSaid(sent.to);
        return sent;
      },
      claim: async (paths, reason) => {
        const ttlS = desk.parts.settings.current.CHANNEL_CLAIM_TTL;
        const taken = await (await member()).claim(paths, { kind: "claim", reason, ttlS });
        if (!taken.ok) {
          return { ok: false, why: refusalText(taken.held, (await desk.board()).viewer()) };
        }
        await this.#watch.note(paths);
        return { ok: true };
      },
      release: async (paths) => (await (await member()).release(paths)).map(({ path }) => path),
    });
  }

  readonly #begin = once(() => this.#tick());

  /** One look at the board now, and the next one later. At rest it is one number that is read. */
  #tick(): void {
    const pollMs = this.#isInteractive
      ? Math.max(POLL_MS_MIN, this.#desk.parts.settings.current.CHANNEL_POLL_SECONDS * 1000)
      : ALONE_POLL_MS;
    void this.#desk.tolerant(() => this.#look(), undefined).then(() => {
      if (this.#isStopped) return;
      this.#timer = setTimeout(() => this.#tick(), pollMs);
      Deno.unrefTimer(this.#timer);
    });
  }

  async #look(): Promise<void> {
    await this.#desk.refresh();
    const { member, peers } = this.#desk;
    if (member === undefined) return;
    await this.#renew(member);
    if (!this.#isInteractive || (peers.length === 0 && !this.#isOffered)) return;
    const { emit, harness } = this.#desk.parts.live;
    for (const message of await member.hear("shown")) {
      emit({ type: "notice", level: "info", text: messageLine(message), about: "channel" });
    }
    if (harness.isRunning) return;
    const unread = await member.unread("told");
    this.#asking = new Set(
      unread.filter(({ receiver, voice }) => receiver !== null && voice !== "board")
        .map(({ sender }) => sender),
    );
    await this.#lookAtFiles(member);
  }

  /** A question to the person may take longer than what was taken for the call lasts. */
  async #renew(member: Member): Promise<void> {
    const paths = [...this.#pending.values()].flat();
    const ttlS = this.#desk.parts.settings.current.CHANNEL_WRITE_TTL;
    if (paths.length > 0) await member.claim(paths, { kind: "write", reason: "", ttlS });
  }

  async #lookAtFiles(member: Member): Promise<void> {
    const held = (await member.claims()).map(({ path }) => path);
    const changes = await this.#watch.changes(held);
    for (const path of changes) this.#changed.add(path);
    if (changes.length === 0) return;
    const { emit } = this.#desk.parts.live;
    const board = await this.#desk.board();
    const text = `changed while this session holds it: ${
      changes.map((path) => seenFrom(board.top, path)).join(", ")
    }`;
    emit({ type: "notice", level: "warn", text, about: "channel" });
  }
}
