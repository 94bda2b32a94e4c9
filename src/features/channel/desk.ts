/** A conversation's place at the board: on it while it lives, unless the person has taken it off. */
import type { FeatureParts } from "@/compose/feature.ts";
import { Board } from "@/channel/board.ts";
import { Member } from "@/channel/member.ts";
import type { Agent } from "@/channel/rows.ts";
import { boardText, heldList } from "@/channel/text.ts";
import { clipEnd } from "@/lib/clip.ts";
import { lasts } from "@/lib/lasts.ts";
import { describe } from "@/lib/describe.ts";
import type { Event } from "@/protocol/event.ts";
import { nearestMarker } from "@/workspace/git_place.ts";

/** How often an agent gives a sign of life that other machines see, in ms. */
const BEAT_MS = 15_000;
const LABEL_CHARS_MAX = 60;

/** What it needs of the conversation. */
export type DeskParts = Pick<FeatureParts, "place" | "settings" | "model" | "live">;

export class Desk {
  readonly parts: DeskParts;
  /** Opened once; whoever cannot open it tries again. */
  #opening: Promise<Board> | undefined;
  #joining: Promise<Member> | undefined;
  #member: Member | undefined;
  #peers: readonly Agent[] = [];
  #isOff = false;
  #isClosed = false;
  #title = "";
  #asked = "";
  #refreshing: Promise<void> | undefined;
  #beaten = { at: 0, face: "" };
  readonly #problems = new Set<string>();

  constructor(parts: DeskParts) {
    this.parts = parts;
  }

  /** Whether this conversation is to be on the board. */
  get isOn(): boolean {
    return !this.#isOff && !this.#isClosed && this.parts.settings.current.CHANNEL_ENABLED;
  }

  /** Whether it is there. */
  get member(): Member | undefined {
    return this.isOn ? this.#member : undefined;
  }

  /** The others, as they were last seen. */
  get peers(): readonly Agent[] {
    return this.isOn ? this.#peers : [];
  }

  async board(): Promise<Board> {
    return await (this.#opening ??= this.#open());
  }

  /** Be on the board, if that is wanted. */
  async join(): Promise<Member | undefined> {
    if (!this.isOn) {
      await this.#leave();
      return undefined;
    }
    try {
      this.#member = await (this.#joining ??= this.#join());
    } catch (error) {
      this.#joining = undefined;
      throw error;
    }
    return this.#member;
  }

  /**
   * See who is there, and be seen. Costs one look at a number where nothing has changed. News is told once: whoever
   * comes while it is being read waits for the same look.
   */
  refresh(): Promise<void> {
    return this.#refreshing ??= this.#look().finally(() => this.#refreshing = undefined);
  }

  async #look(): Promise<void> {
    const member = await this.join();
    if (member === undefined) return;
    const board = await this.board();
    const isNews = board.hasNews();
    await this.#beat(member, board.now());
    // A peer that was killed changes nothing on the board.
    if (isNews || this.#peers.length > 0) this.#peers = await member.peers();
  }

  /** Run something that a conversation can do without: what does not work is told once. */
  async tolerant<T>(what: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await what();
    } catch (error) {
      const why = describe(error);
      // What was under way when it left is nobody's loss.
      if (!this.isOn) return otherwise;
      if (!this.#problems.has(why)) {
        this.#problems.add(why);
        const text =
          `The board of this project could not be asked, so what other agents hold is not known: ${why}`;
        this.parts.live.emit({ type: "notice", level: "warn", text, about: "channel" });
      }
      return otherwise;
    }
  }

  /** Who is here, as text. */
  async describe(): Promise<string> {
    const board = await this.board();
    return boardText(await board.look(), board.viewer(this.member?.id));
  }

  /**
   * Hold files for a change of the person's own (real absolute paths); says who holds one of them instead. What is held
   * counts as well where this conversation is not on the board.
   */
  async holdForPerson(paths: readonly string[]): Promise<string | undefined> {
    const { CHANNEL_CLAIMS, CHANNEL_WRITE_TTL } = this.parts.settings.current;
    if (!this.isOn || !CHANNEL_CLAIMS) return undefined;
    return await this.tolerant(async () => {
      const { member } = this;
      const board = await this.board();
      const terms = { kind: "write", reason: "/undo", ttlS: CHANNEL_WRITE_TTL } as const;
      const held = member === undefined || this.peers.length === 0
        ? await board.held(paths)
        : heldOf(await member.claim(paths, terms));
      return held.length === 0
        ? undefined
        : `${heldList(held, board.viewer())}. /agents release PATH takes it away from them`;
    }, undefined);
  }

  /** Take it off the board, or put it there again. */
  async turn(isOn: boolean): Promise<void> {
    this.#isOff = !isOn;
    await this.refresh();
  }

  /** Takes the events of the session: they say what it is about. */
  sink(event: Event): void {
    if (event.type === "title") this.#title = event.title;
    if (event.type !== "message" || event.message.role !== "user") return;
    const [first] = event.message.content;
    if (event.message.origin !== "person" || first?.type !== "text") return;
    if (this.#asked === "") this.#asked = first.text;
  }

  /** Leave for good. May be called again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    try {
      await this.#leave();
    } finally {
      const [opened] = await Promise.allSettled([this.#opening]);
      if (opened.status === "fulfilled") opened.value?.close();
    }
  }

  async #open(): Promise<Board> {
    const { place, settings } = this.parts;
    try {
      return await Board.open({
        dir: place.paths.channel,
        top: await nearestMarker(place.workspace) ?? place.workspace,
        host: await hostName(place.env),
        staleS: () => settings.current.CHANNEL_STALE,
      });
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  async #join(): Promise<Member> {
    return await Member.join(await this.board(), this.#face());
  }

  async #leave(): Promise<void> {
    const joining = this.#joining;
    this.#joining = undefined;
    this.#member = undefined;
    this.#peers = [];
    const [joined] = await Promise.allSettled([joining]);
    if (joined.status === "fulfilled") await joined.value?.leave();
  }

  async #beat(member: Member, now: number): Promise<void> {
    const face = this.#face();
    const shown = `${face.model}\n${face.label}`;
    if (shown === this.#beaten.face && lasts(this.#beaten.at, { ms: BEAT_MS, now })) return;
    this.#beaten = { at: now, face: shown };
    await member.beat(face);
  }

  #face(): { model: string; label: string } {
    const { provider, model } = this.parts.model.current.name;
    // The board is a file: of a conversation that is not recorded it says only who is here.
    const about = this.parts.settings.current.SAVE_CHAT_HISTORY ? this.#title || this.#asked : "";
    const line = about.trim().split("\n", 1)[0] ?? "";
    return { model: `${provider}/${model}`, label: clipEnd(line, LABEL_CHARS_MAX) };
  }
}

function heldOf(taken: Awaited<ReturnType<Member["claim"]>>) {
  return taken.ok ? [] : taken.held;
}

/** Only whether two are the same counts. Deno's own answer would need a permission of its own. */
async function hostName(env: Readonly<Record<string, string>>): Promise<string> {
  try {
    return (await Deno.readTextFile("/etc/hostname")).trim();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return env["HOSTNAME"] ?? "";
  }
}
