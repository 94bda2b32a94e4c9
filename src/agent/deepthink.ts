/**
 * Deepthink: one request in six stages of one conversation, and where the chain goes after each of them. It joins the
 * loop as a guard and hooks; this file only decides.
 */
import { type Stage, STAGES } from "@/lib/stages.ts";

/** How each is announced. */
export const TITLES: Readonly<Record<Stage, string>> = {
  plan: "Plan",
  check: "Check the plan",
  build: "Implement",
  review: "Review",
  revise: "Revise",
  verify: "Verify",
};

/** Stages that think: whatever changes anything is refused in them. */
export const READ_ONLY: ReadonlySet<Stage> = new Set(["plan", "check", "review"]);

/** What a plan says where nothing is to be built, and a report where something is left. */
export const NO_PLAN_NEEDED = "NO_PLAN_NEEDED";
export const MORE_WORK_NEEDED = "MORE_WORK_NEEDED";

/** What came of a stage, as far as it matters for where the chain goes. */
export type Ended =
  /** `answer` is what a short question about the text came to; "" where it could not be put. */
  | { stage: "plan"; isMarked: boolean; answer: string }
  | { stage: "build"; isUnchanged: boolean }
  | { stage: "verify"; isMarked: boolean; answer: string }
  | { stage: "check" | "review" | "revise" };

/** Where the chain goes. `note` is for the person. */
export type Step =
  | { kind: "stage"; stage: Stage; pass: number }
  | { kind: "over"; note?: string };

/** One chain, from the person's message to its end. */
export class Chain {
  readonly #passesMax: number;
  #stage: Stage = "plan";
  #pass = 1;

  /** Less than one pass counts as one. */
  constructor(passesMax: number) {
    this.#passesMax = Math.max(1, passesMax);
  }

  get stage(): Stage {
    return this.#stage;
  }

  get pass(): number {
    return this.#pass;
  }

  /** Go on after the stage that it is in. */
  next(ended: Ended): Step {
    switch (ended.stage) {
      case "plan":
        if (ended.isMarked || isNothingToBuild(ended.answer)) {
          return { kind: "over", note: "Deepthink ends after the plan: there is nothing to build" };
        }
        return this.#go("check");
      case "build":
        if (ended.isUnchanged) {
          return {
            kind: "over",
            note: "Deepthink ends after the third stage: nothing was changed",
          };
        }
        return this.#go("review");
      case "verify":
        return this.#afterVerify(ended.isMarked || isMoreToDo(ended.answer));
      case "check":
        return this.#go("build");
      case "review":
        return this.#go("revise");
      case "revise":
        return this.#go("verify");
      default:
        return ended satisfies never;
    }
  }

  #afterVerify(isMoreToDo: boolean): Step {
    if (!isMoreToDo) return { kind: "over" };
    if (this.#pass < this.#passesMax) {
      this.#pass += 1;
      return this.#go("plan");
    }
    const note = `Deepthink ends unfinished after ${this.#pass} ${
      this.#pass === 1 ? "pass" : "passes"
    }, as many as DEEPTHINK_MAX_PASSES allows; the report says what is left`;
    return { kind: "over", note };
  }

  #go(stage: Stage): Step {
    this.#stage = stage;
    return { kind: "stage", stage, pass: this.#pass };
  }
}

/** Whether an answer to "is anything to be built?" is a clear no: what is unclear counts as work to do. */
export function isNothingToBuild(answer: string): boolean {
  return firstWord(answer) === "NO";
}

/** Whether an answer to "is anything left?" is a clear yes: a chain that began anew on a maybe would not end. */
export function isMoreToDo(answer: string): boolean {
  return firstWord(answer) === "YES";
}

function firstWord(answer: string): string {
  const [word = ""] = answer.trim().split(/\s+/);
  return word.replace(/^[.,!:*`]+|[.,!:*`]+$/g, "").toUpperCase();
}

/** What a stage works with that it could not know itself. */
export type StageFacts = {
  pass: number;
  /** Whether the stage before it was given up. */
  isAfterCut?: boolean;
  /** For the review: the diff, or undefined where there is no git to ask. */
  diff?: string;
  /** For the review: files that calls have changed. */
  changed?: readonly string[];
};

/** The instruction that begins a stage. */
export function instruction(stage: Stage, facts: StageFacts): string {
  const number = STAGES.indexOf(stage) + 1;
  const pass = facts.pass === 1 ? "" : `, pass ${facts.pass}`;
  const head = `[Deepthink ${number}/${STAGES.length} - ${TITLES[stage]}${pass}]`;
  return [head, ...carriedOver(stage, facts), ...textOf(stage, facts)].join("\n");
}

function carriedOver(stage: Stage, { pass, isAfterCut = false }: StageFacts): string[] {
  if (isAfterCut) {
    return [
      "The stage before this one was ended early: it went on with calls that got it nowhere. Go on from what is known.",
    ];
  }
  if (stage !== "plan" || pass === 1) return [];
  return [
    "The last pass left something undone; its report above names what. Plan to finish just that, and do not widen it.",
  ];
}

const ONLY_READS = "This stage only reads: calls that change anything are refused.";

function textOf(stage: Stage, facts: StageFacts): string[] {
  switch (stage) {
    case "plan":
      return [
        `Work out what the request takes. Read the files that matter instead of guessing what they say. ${ONLY_READS}`,
        "Write a numbered plan: what changes in which file, and how it will be checked that it works.",
        `If nothing is to be built or changed, because it is a question or is done already, answer in full and end with a line that says ${NO_PLAN_NEEDED}.`,
      ];
    case "check":
      return [
        `Argue against that plan. Go through it item by item: which assumption did you not look up, what would break, what is missing? Settle each by reading. ${ONLY_READS}`,
        "End with the plan as it stands now.",
      ];
    case "build":
      return [
        "Carry out the plan as it now stands. You may change things again. When you are done, say in a few lines what you did.",
      ];
    case "review":
      return [
        `Look at what was really changed, with the eyes of somebody who did not write it. ${ONLY_READS}`,
        ...reviewed(facts),
        "Your whole output is a numbered list of what is wrong, each with file and line, or the words: nothing is wrong. What a check has reported belongs on it. Do not fix anything now.",
      ];
    case "revise":
      return [
        "Fix what the review lists, and nothing else: a change that nobody reviewed is a change that nobody checked. If it lists nothing, change nothing and say so.",
      ];
    case "verify":
      return [
        "Run it: the tests, the program, whatever shows whether the plan was met. Then go through the plan item by item and report what really came back, with the commands and their exit codes; what you did not run is not proven.",
        `If something of the plan is not done or does not work, say what, and end with a line that says ${MORE_WORK_NEEDED}.`,
      ];
    default:
      return stage satisfies never;
  }
}

function reviewed({ diff, changed = [] }: StageFacts): string[] {
  if (diff !== undefined && diff !== "") {
    return [`This is the diff of everything that changed:\n${diff}`];
  }
  const files = changed.length === 0 ? "" : `, which are ${changed.join(", ")}`;
  return [`There is no diff to look at: read the files that you have changed again${files}.`];
}

/** A command that ran in a stage. `exitCode` is undefined where it has not ended. */
export type RanCommand = { command: string; exitCode?: number; isOk: boolean };

/** What the last stage has really run, for the person. */
export function proof(ran: readonly RanCommand[]): { level: "info" | "warn"; text: string } {
  if (ran.length === 0) {
    return { level: "warn", text: "Verify ran no command: nothing was proven by running it" };
  }
  const failed = ran.filter(({ isOk }) => !isOk).length;
  const list = ran.map(({ command, exitCode }) =>
    `${command} (${exitCode === undefined ? "no exit code" : `exit code ${exitCode}`})`
  ).join("; ");
  const how = failed === 0 ? "none failed" : `${failed}/${ran.length} failed`;
  return { level: failed === 0 ? "info" : "warn", text: `Verify ran: ${list}; ${how}` };
}
