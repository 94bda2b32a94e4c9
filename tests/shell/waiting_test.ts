import { deepStrictEqual as equal } from "node:assert/strict";
import { judge, type Judgement, type Signals } from "@/shell/waiting.ts";

const patience = { idleS: 0.6, graceS: 2.5, waitS: 8, deadlineS: 120 };
const seen = (more: Partial<Signals>): Signals => ({
  ...{ tail: "x\n", input: "other", quietS: 1, elapsedS: 1 },
  ...more,
});

Deno.test("judge() goes by the strongest signal there is", () => {
  const waiting = (why: Extract<Judgement, { kind: "waiting" }>["why"]): Judgement => ({
    kind: "waiting",
    why,
  });
  const listen: Judgement = { kind: "listen" };
  const cases: [Partial<Signals>, Judgement][] = [
    [{ tail: "name: " }, waiting("prompt")],
    [{ tail: "name: ", quietS: 0.5 }, listen],
    [{ input: "reads" }, waiting("reads")],
    [{ input: "reads", tail: "" }, waiting("reads")],
    [{ input: "reads", quietS: 0.3 }, listen],
    [{ quietS: 5 }, listen],
    [{ quietS: 8 }, waiting("silent")],
    [{ input: "other", quietS: 3, cpuS: 0 }, listen],
    [{ input: "unknown", quietS: 2.5, cpuS: 0 }, waiting("idle")],
    [{ input: "unknown", quietS: 2.4, cpuS: 0 }, listen],
    [{ input: "unknown", quietS: 3, cpuS: 1 }, listen],
    [{ input: "unknown", quietS: 3 }, listen],
    [{ elapsedS: 120, tail: "name: " }, { kind: "late" }],
  ];
  for (const [signals, expected] of cases) equal(judge(seen(signals), patience), expected);
});
