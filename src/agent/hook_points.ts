/** Where hooks join a turn: each in list order, none waited for after an interrupt, and one that fails is said. */
import type { Sink } from "@/protocol/event.ts";
import type { Hook } from "@/protocol/hook.ts";
import type { GuardedCall } from "@/protocol/policy.ts";
import type { ProviderError } from "@/protocol/provider.ts";
import type { ToolResult } from "@/protocol/tool.ts";
import { describe } from "@/lib/describe.ts";
import { orGivenUp } from "@/lib/within.ts";

/** The hooks of a conversation. Nothing here rejects. */
export class HookPoints {
  readonly #hooks: readonly Hook[];
  readonly #emit: Sink;

  constructor({ hooks, emit }: { hooks: readonly Hook[]; emit: Sink }) {
    this.#hooks = hooks;
    this.#emit = emit;
  }

  /** Tell the model what hooks have for it at one point; whether any had something. */
  async tell(
    point: "beforeRequest" | "beforeLimit" | "beforeStop",
    signal: AbortSignal,
  ): Promise<boolean> {
    let hasText = false;
    for (const hook of this.#hooks) {
      if (signal.aborted) break;
      const text = await this.#run(hook, `(${point})`, () => hook[point]?.(signal), signal);
      if (text === undefined || text === "") continue;
      this.#emit(told(text));
      hasText = true;
    }
    return hasText;
  }

  /** Whether a hook could change what stands in a request's way. */
  async isMended(error: ProviderError, signal: AbortSignal): Promise<boolean> {
    for (const hook of this.#hooks) {
      if (signal.aborted) return false;
      if (await this.#run(hook, "(mend)", () => hook.mend?.(error, signal), signal)) return true;
    }
    return false;
  }

  /** Show a call that ran to all of them. */
  async afterTool(call: GuardedCall, result: ToolResult, signal: AbortSignal): Promise<void> {
    for (const hook of this.#hooks) {
      const after = () => hook.afterTool?.(call, result, signal);
      await this.#run(hook, `after ${call.tool.name}`, after, signal);
    }
  }

  /** One hook: undefined where it has nothing, fails, or goes on after an interrupt. */
  async #run<T>(
    { name }: Hook,
    where: string,
    act: () => Promise<T> | undefined,
    signal: AbortSignal,
  ): Promise<T | undefined> {
    try {
      const acting = act();
      return acting && await orGivenUp<T | undefined>(acting, signal, () => undefined);
    } catch (error) {
      const text = `${name} failed ${where}: ${describe(error)}`;
      this.#emit({ type: "notice", level: "warn", text });
      return undefined;
    }
  }
}

/** What is said to the model in between, by nobody in particular. */
export function told(text: string): Parameters<Sink>[0] {
  const content = [{ type: "text", text }] as const;
  return { type: "message", message: { role: "user", content, origin: "hook" } };
}
