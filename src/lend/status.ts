/** What a status line says, and what `/status` is lent. */
import type { Loop } from "@/compose/loop.ts";
import { modelText } from "@/compose/model.ts";
import type { AppParts } from "@/compose/parts.ts";
import type { StatusNow, StatusPart } from "@/terminal/commands/lent/status.ts";
import type { UsagePart } from "@/terminal/commands/lent/usage.ts";

type Needs = Pick<AppParts, "model" | "sandbox" | "run">;

/**
 * The facts of the conversation as it stands. Protocol and window are there once the model was asked: before, they would be
 * guesses. `spent`: as the part `usage` says it.
 */
export function statusFacts(
  { model: { current }, sandbox, run }: Needs,
  spent: ReturnType<UsagePart["spent"]>,
): Omit<StatusNow, "contextTokens"> {
  const { protocol, windowTokens } = current;
  const isTried = sandbox.opened !== undefined;
  return {
    model: modelText(current),
    ...(protocol === undefined ? {} : { protocol, windowTokens }),
    ...(spent === undefined || spent.unpriced > 0 || spent.dollars === 0
      ? {}
      : { cost: spent.dollars }),
    ...(run.sandbox === "off" || isTried
      ? { sandbox: sandbox.isProven ? "sandboxed" : "no sandbox" }
      : {}),
  };
}

/** Build it. */
export function statusPart(
  parts: Needs,
  { harness, work }: Pick<Loop, "harness" | "work">,
  usage: UsagePart | undefined,
): StatusPart {
  return {
    async now() {
      const { context } = await work();
      const contextTokens = context.estimate(harness.messages());
      return { ...statusFacts(parts, usage?.spent()), contextTokens };
    },
  };
}
