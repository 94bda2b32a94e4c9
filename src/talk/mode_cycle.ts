/** What Shift+Tab goes through: ask, auto, plan. */
import type { CommandHost } from "@/terminal/commands/spec.ts";
import type { Mode } from "@/terminal/full/status.ts";
import { modeOf } from "@/terminal/mode_of.ts";

const NEXT = { ask: "auto", auto: "plan", plan: "ask" } as const;

type Modes = Pick<CommandHost, "automode" | "planmode">;

/**
 * Goes on from mode to mode. Plan mode that ends by an approved plan or /planmode off gives back the mode in which the
 * person was before: one that is only passed on the way there is not meant.
 */
export class ModeCycle {
  #last: { mode: Mode; turn: number; from: Mode } | undefined;

  /** `turn`: a turn between two steps means that the person has stayed. */
  step(modes: Modes, turn: number): void {
    const now = modeOf(modes);
    const isOnTheWay = this.#last?.mode === now && this.#last.turn === turn;
    const from = isOnTheWay ? this.#last?.from ?? now : now;
    const next = NEXT[now];
    modes.automode.turn(next === "auto" || (next === "plan" && from === "auto"));
    modes.planmode.turn(next === "plan");
    this.#last = { mode: next, turn, from };
  }
}
