/** `/tdd`: for one turn the project's tests are as they are. Held in memory, and gone with the turn, however it ends. */
import type { Event } from "@/protocol/event.ts";
import type { Hook } from "@/protocol/hook.ts";
import type { Guard } from "@/protocol/policy.ts";
import { systemNote } from "@/lib/tool_result.ts";

/** `armed`: for the next turn; `held`: for the one that runs. */
export type LockState = "off" | "armed" | "held";

type State =
  | { kind: "off" }
  /** `after`: the number of the last turn before. */
  | { kind: "armed"; after: number }
  | { kind: "held"; turn: number; isTold: boolean };

const TOLD = systemNote(
  "The project's test files are locked for this request: no tool can change, replace or delete them, and a command must not " +
    "either. Make the code pass the tests as they are. If you conclude that a test itself is wrong, say which and why, and stop.",
);

/** The lock of one conversation. */
export class TestLock {
  #state: State = { kind: "off" };

  get state(): LockState {
    return this.#state.kind;
  }

  /** The turn that it is held for. */
  get turn(): number | undefined {
    return this.#state.kind === "held" ? this.#state.turn : undefined;
  }

  /** Lock the tests for the turn after the one with this number. */
  arm(after: number): void {
    this.#state = { kind: "armed", after };
  }

  /** Lift it, or take it back; false when there was none. */
  lift(): boolean {
    const wasOn = this.#state.kind !== "off";
    this.#state = { kind: "off" };
    return wasOn;
  }

  /** Takes the events of the session; those from before it was armed mean nothing to it. */
  readonly sink = (event: Event): void => {
    const state = this.#state;
    if (event.type === "turn_start" && state.kind === "armed" && event.turn > state.after) {
      this.#state = { kind: "held", turn: event.turn, isTold: false };
    } else if (event.type === "turn_end" && state.kind === "held" && event.turn === state.turn) {
      this.#state = { kind: "off" };
    }
  };

  /** Tells the model up front, so that it does not find out by being refused. */
  readonly hook: Hook = {
    name: "the test lock",
    beforeRequest: () => {
      const state = this.#state;
      if (state.kind !== "held" || state.isTold) return undefined;
      this.#state = { ...state, isTold: true };
      return Promise.resolve(TOLD);
    },
  };
}

/** The tests of a project while they are locked; paths are absolute. */
export type LockedTests = {
  isTest(path: string): Promise<boolean>;
  /** Told of each file before it may be changed: it may be one that says which files are tests. */
  keep(path: string): Promise<void>;
};

/** What the guard works with. `tests` is asked once for each time that the lock is held. */
export type TestLockParts = {
  lock: TestLock;
  tests(): LockedTests;
  resolve(path: string): string;
};

/** Refuse changes of tests while the lock is held. A path counts as it is written and as what it leads to. */
export function testLock({ lock, tests, resolve }: TestLockParts): Guard {
  let held: { turn: number; tests: LockedTests } | undefined;
  return async function lockedTest({ tool, input, effect, subject }) {
    const turn = lock.turn;
    if (turn === undefined || effect === "reads" || subject.kind !== "path") return undefined;
    if (held?.turn !== turn) held = { turn, tests: tests() };
    // The dispatcher has read it by the tool's own schema.
    const spelled = tool.subject(input as Record<string, unknown>);
    const changed = [subject, spelled].flatMap((one) =>
      one.kind === "path" ? one.paths.filter((path) => one.reads?.includes(path) !== true) : []
    );
    for (const path of new Set(changed)) {
      await held.tests.keep(resolve(path));
      if (!await held.tests.isTest(resolve(path))) continue;
      const reason =
        `"${path}" is one of the project's tests, and /tdd has locked them for this request: ` +
        "change the code under test, or say that the test is wrong and stop";
      return { verdict: "deny", by: "guard", reason };
    }
    return undefined;
  };
}
