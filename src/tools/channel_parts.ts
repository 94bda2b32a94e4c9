/** What the tools of the agent channel work with. They reject where the board does not answer. */
import type { Sent } from "@/channel/member.ts";

export type ChannelToolParts = {
  /** Who is here, as text. */
  describe(): Promise<string>;
  say(to: string, text: string): Promise<Sent>;
  /** Hold files (real absolute paths) until they are released. */
  claim(paths: readonly string[], reason: string): Promise<Answer>;
  /** Resolves to those that were held, real absolute paths. */
  release(paths: readonly string[] | undefined): Promise<readonly string[]>;
};

/** `why`: who holds what is in the way, in a sentence. */
export type Answer = { ok: true } | { ok: false; why: string };
