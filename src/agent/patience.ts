/** What a turn puts up with before it is ended: nothing said, calls that nobody can read, refusals, circles, hooks. */
import type { ToolCallBlock } from "@/protocol/message.ts";
import type { TurnStop } from "@/protocol/event.ts";
import type { PersonError } from "@/protocol/error.ts";
import type { CallOutcome } from "@/protocol/outcome.ts";
import { DoomLoop } from "./doom.ts";
import * as notes from "./notes.ts";

/** Nothing, a note for the model, or the end of the turn: within a limit, with what the person is told, or as a failure. */
export type Patient =
  | undefined
  | { tell: string }
  | { stop: TurnStop; why: string }
  | { failure: PersonError };

const NUDGES_MAX = 1;
const UNREADABLE_MAX = 2;
const REFUSALS_TOLD = 3;
const REFUSALS_MAX = 6;
/** How often hooks may keep a turn from ending while the model calls nothing in between. */
const HELD_MAX = 8;
/** How often hooks may have the model go on with something else when it was given up. */
const RENEWED_MAX = 24;

/** Counts for one turn: each is told to the model first, and ends the turn when it goes on. */
export class Patience {
  #doom = new DoomLoop();
  #nudges = 0;
  #unreadable = 0;
  #refusals = 0;
  #held = 0;
  #renewed = 0;

  /** A reply had something in it. */
  said(): void {
    this.#nudges = 0;
  }

  /** A reply had nothing in it. */
  empty(): Patient {
    if (this.#nudges >= NUDGES_MAX) return { failure: new notes.NothingSaid() };
    this.#nudges += 1;
    return { tell: notes.EMPTY_REPLY };
  }

  /** A reply had calls, which have their results. */
  called(calls: readonly ToolCallBlock[]): Patient {
    this.#held = 0;
    const isUnreadable = calls.every((call) => call.damage !== undefined);
    this.#unreadable = isUnreadable ? this.#unreadable + 1 : 0;
    if (this.#unreadable <= UNREADABLE_MAX) return undefined;
    return { failure: notes.unreadable(this.#unreadable) };
  }

  /** What a call came to; refusals in a row and circles are told once. */
  done({ call, result }: CallOutcome): Patient {
    this.#refusals = result.status === "denied" ? this.#refusals + 1 : 0;
    if (this.#refusals >= REFUSALS_MAX) {
      return { stop: "limit", why: notes.tooManyRefusals(this.#refusals) };
    }
    const refused = this.#refusals === REFUSALS_TOLD ? [notes.refusals(REFUSALS_TOLD)] : [];
    switch (this.#doom.note(call, result)) {
      case "tell":
        return { tell: [...refused, notes.circle(call.name)].join("\n\n") };
      case "end":
        return { stop: "limit", why: notes.circleEnded(call.name) };
      case "none":
        return refused.length === 0 ? undefined : { tell: refused.join() };
    }
  }

  /** Hooks have kept the turn from ending: the model has said something, and now has something else to do. */
  held(): Patient {
    this.#held += 1;
    this.#refusals = 0;
    return this.#held <= HELD_MAX
      ? undefined
      : { stop: "limit", why: notes.heldTooOften(this.#held) };
  }

  /** The model was given up, and a hook has something else for it to do. */
  renewed(): Patient {
    this.#renewed += 1;
    this.#refusals = 0;
    this.#doom = new DoomLoop();
    return this.#renewed <= RENEWED_MAX
      ? undefined
      : { stop: "limit", why: notes.renewedTooOften(this.#renewed) };
  }
}
