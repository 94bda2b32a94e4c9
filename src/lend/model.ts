/** What commands about the model are lent. */
import type { Harness } from "@/agent/harness.ts";
import { connect, modelText } from "@/compose/model.ts";
import type { AppParts, ScreenParts } from "@/compose/parts.ts";
import type { ModelPart } from "@/terminal/commands/lent/model.ts";

/** How long a server may take to list its models. */
const ASK_MS = 15_000;

/** Build it. */
export function modelPart(
  parts: Pick<AppParts, "model" | "reach" | "settings">,
  { harness, screen }: { harness: Harness; screen: ScreenParts },
): ModelPart {
  const { model, reach, settings } = parts;
  const never = new AbortController().signal;
  return {
    status: () => {
      const { protocol, windowTokens, outputTokensMax } = model.current;
      return Promise.resolve([
        modelText(model.current),
        `protocol: ${protocol ?? "not asked yet"}`,
        `window: ${windowTokens} tokens, reply at most ${outputTokensMax}`,
      ].join("\n"));
    },
    list: async () => {
      const models = await model.current.models(AbortSignal.timeout(ASK_MS));
      return models.map(({ name, windowTokens }) => {
        const mark = name === model.current.name.model ? "*" : " ";
        return `${mark} ${name}${windowTokens === undefined ? "" : `  (${windowTokens} tokens)`}`;
      }).join("\n");
    },
    connect: async (words) => {
      const { connectCommand } = await import("./connect.ts");
      return await connectCommand(words, {
        reach,
        settings: () => settings.current,
        ask: async (question) => (await screen.asker([question], never))?.[0],
        secret: (text) => screen.secret?.(text) ?? Promise.resolve(undefined),
        onConnected: async (name) => {
          model.replace(await connect(name, await reach(), () => settings.current));
          // A session that has not begun tells its model when it does.
          if (harness.turn > 0) harness.emit({ type: "model", ...name });
        },
        warn: (text) => harness.emit({ type: "notice", level: "warn", text }),
      });
    },
  };
}
