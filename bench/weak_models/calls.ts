/** Tool calls as text: what the program reads of the corpus, through binding, against what has to come of it. */
import { isDeepStrictEqual } from "node:util";
import { bind } from "@/agent/bind.ts";
import { findTool } from "@/agent/find_tool.ts";
import { readCalls } from "@/provider/tool_text/read_calls.ts";
import { allTools, type ToolParts } from "@/tools/mod.ts";
import { definition } from "@/tools/spec.ts";
import { type CallText, callTexts } from "./call_texts.ts";
import type { Call } from "./families.ts";

/** `lost`: a call that was meant did not run. `told wrong`: the calls are right, but not what the model is told. */
export type Verdict = "right" | "lost" | "told wrong" | "wrongly run";

const TOOLS = allTools({} as ToolParts);
const DEFINITIONS = TOOLS.map(definition);

/** What came of a text. */
export function verdictOf({ reply, stop, calls, isReported }: CallText): Verdict {
  const read = readCalls(reply, { tools: DEFINITIONS, stop });
  const ran = read.calls.map(({ name, input }) => bound([name, input]));
  const meant = calls.map(bound);
  if (ran.some((one) => !meant.some((other) => isDeepStrictEqual(one, other)))) {
    return "wrongly run";
  }
  if (!isDeepStrictEqual(ran, meant)) return ran.length > meant.length ? "wrongly run" : "lost";
  return read.reports.length > 0 === isReported ? "right" : "told wrong";
}

/** The call as its tool would run it. One that a tool refuses has no effect, but counts as what was sent. */
function bound([name, args]: Call): unknown[] {
  const tool = findTool(name, TOOLS);
  const input = tool === undefined ? undefined : bind(tool, args);
  return [name, input?.ok === true ? input.input : args];
}

/** Shares of the corpus, with the texts that are not read right. */
export function callTable(): string[] {
  const texts = callTexts();
  const verdicts = texts.map((text) => ({ id: text.id, verdict: verdictOf(text) }));
  const share = (verdict: Verdict) => verdicts.filter((one) => one.verdict === verdict).length;
  const right = share("right");
  return [
    `  ${texts.length} texts: read right ${(right / texts.length * 100).toFixed(1)} %, lost ${
      share("lost")
    }, told wrong ${share("told wrong")}, wrongly run ${share("wrongly run")}`,
    ...verdicts.filter(({ verdict }) => verdict !== "right").map(({ id, verdict }) =>
      `    ${verdict}: ${id}`
    ),
  ];
}
