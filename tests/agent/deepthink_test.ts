import { deepStrictEqual as equal, match } from "node:assert/strict";
import { Chain, type Ended, instruction, proof } from "@/agent/deepthink.ts";
import { STAGES } from "@/lib/stages.ts";

const PLAN: Ended = { stage: "plan", isMarked: false, answer: "YES" };
const BUILT: Ended = { stage: "build", isUnchanged: false };
const UNFINISHED: Ended = { stage: "verify", isMarked: true, answer: "" };

/** Walk a whole pass, from where the chain is. */
function walk(chain: Chain, last: Ended) {
  const rest: Ended[] = [{ stage: "check" }, BUILT, { stage: "review" }, { stage: "revise" }, last];
  return [PLAN, ...rest].map((ended) => chain.next(ended));
}

Deno.test("next() goes through the stages in their order, once", () => {
  const steps = walk(new Chain(3), { stage: "verify", isMarked: false, answer: "NO" });
  equal(
    steps.map((step) => step.kind === "stage" ? step.stage : step.kind),
    [...STAGES.slice(1), "over"],
  );
});

Deno.test("next() begins anew while something is left, up to the ceiling", () => {
  const chain = new Chain(2);
  equal(walk(chain, UNFINISHED).at(-1), { kind: "stage", stage: "plan", pass: 2 });
  const last = walk(chain, { stage: "verify", isMarked: false, answer: "yes." }).at(-1);
  match(last?.kind === "over" ? last.note ?? "" : "", /unfinished after 2 passes/);
  equal(walk(new Chain(0), UNFINISHED).at(-1)?.kind, "over");
});

Deno.test("next() ends where nothing is to be built, and what is unclear is work", () => {
  for (const answer of ["NO", "no.", "`NO`", "**No**, because"]) {
    equal(new Chain(1).next({ stage: "plan", isMarked: false, answer }).kind, "over", answer);
  }
  for (const answer of ["", "YES", "not a yes or no", "nothing", "I say NO"]) {
    equal(new Chain(1).next({ stage: "plan", isMarked: false, answer }).kind, "stage", answer);
  }
  equal(new Chain(1).next({ stage: "plan", isMarked: true, answer: "" }).kind, "over");
});

Deno.test("next() ends after a build that changed nothing", () => {
  equal(new Chain(1).next({ stage: "build", isUnchanged: true }).kind, "over");
});

Deno.test("instruction() numbers its stage, and carries the last pass over into a new plan only", () => {
  match(instruction("plan", { pass: 1 }), /^\[Deepthink 1\/6 - Plan\]\nWork out/);
  match(instruction("plan", { pass: 2 }), /^\[Deepthink 1\/6 - Plan, pass 2\]\nThe last pass left/);
  match(instruction("check", { pass: 2 }), /^\[Deepthink 2\/6 - Check the plan, pass 2\]\nArgue/);
});

Deno.test("instruction() hands the review its diff, else the files to read again", () => {
  match(instruction("review", { pass: 1, diff: "+one" }), /everything that changed:\n\+one\n/);
  match(
    instruction("review", { pass: 1, changed: ["a.ts"] }),
    /read the files .*, which are a\.ts\./,
  );
});

Deno.test("proof() says what ran and how it ended", () => {
  equal(proof([]).level, "warn");
  equal(proof([{ command: "npm test", isOk: true, exitCode: 0 }]), {
    level: "info",
    text: "Verify ran: npm test (exit code 0); none failed",
  });
  equal(
    proof([{ command: "a", isOk: false, exitCode: 2 }, { command: "b", isOk: false }]).text,
    "Verify ran: a (exit code 2); b (no exit code); 2/2 failed",
  );
});
