/** Requests that fit a model's window: made of its system prompt, its tools, and what it takes. */
import { ContextFit } from "@/agent/context.ts";
import type { PromptFacts } from "@/agent/prompt.ts";
import { memo } from "@/lib/memo.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { definition } from "@/tools/spec.ts";
import type { ConnectedModel } from "./model.ts";
import type { Place } from "./place.ts";

/** What requests of one conversation are made of; each is asked for each request. */
export type FitParts = {
  place: Pick<Place, "workspace">;
  model(): ConnectedModel;
  /** What is offered. */
  tools(): readonly ToolSpec[];
  /** Sections of the system prompt. */
  prompt(facts: PromptFacts): readonly string[];
  /** What servers that cache tell conversations apart by. */
  cacheKey: string;
};

/** Those that models are shown, and what they are shown; the same for as long as the tools are. */
const listedOf = memo((tools: readonly ToolSpec[]) =>
  tools.filter(({ isUnlisted }) => isUnlisted !== true)
);
const definitionsOf = memo((tools: readonly ToolSpec[]) => tools.map(definition));

/** Make it. */
export function fitOf({ place, model, tools, prompt, cacheKey }: FitParts): ContextFit {
  return new ContextFit(() => {
    const offered = listedOf(tools());
    const manuals = offered.flatMap(({ manual }) => manual ?? []);
    const facts = { os: Deno.build.os, workspace: place.workspace, manuals };
    const { name, windowTokens, outputTokensMax, hints } = model();
    return {
      model: name.model,
      system: prompt(facts).join("\n\n"),
      tools: definitionsOf(offered),
      windowTokens,
      outputTokensMax,
      hints: { ...hints, cacheKey },
    };
  });
}
