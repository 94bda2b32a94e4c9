/** Servers that say only by a refusal that a model takes no tools. */
import {
  type Provider,
  ProviderError,
  type ProviderEvent,
  type Request,
} from "@/protocol/provider.ts";

/** `text` makes the same provider in the text protocol; `refused` is told when that is spoken from now on. */
export type InsteadOfTools = { text(): Promise<Provider>; refused(): void };

/** A provider that describes the tools in the prompt once its server has refused them, beginning with that request. */
export function textWhereToolsAreRefused(
  native: Provider,
  { text, refused }: InsteadOfTools,
): Provider {
  let speaking: Promise<Provider> | undefined;
  return {
    name: native.name,
    async *stream(request: Request, signal: AbortSignal): AsyncGenerator<ProviderEvent> {
      if (speaking === undefined) {
        try {
          yield* native.stream(request, signal);
          return;
        } catch (error) {
          if (!(error instanceof ProviderError) || error.kind !== "no_tools") throw error;
        }
        speaking = text();
        refused();
        yield {
          type: "notice",
          level: "info",
          text:
            `${request.model} takes no tool calls on this server: its tools are described in the prompt from now on`,
          about: "tool calls",
        };
      }
      yield* (await speaking).stream(request, signal);
    },
  };
}
