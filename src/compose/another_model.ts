/** Another model than the conversation's, for a sub-agent or a stage. */
import { findProvider } from "@/provider/mod.ts";
import { connect, type ConnectedModel, readModelName } from "./model.ts";
import type { AppParts } from "./parts.ts";

/**
 * PROVIDER/MODEL, or a model of the provider that is in use: names of models have slashes too. Nothing is sent yet.
 * Throws PersonError where the provider cannot be reached with what is known.
 */
export async function anotherModel(
  text: string,
  { model, reach, settings }: Pick<AppParts, "model" | "reach" | "settings">,
): Promise<ConnectedModel> {
  const isWhole = findProvider(text.split("/")[0] ?? "") !== undefined;
  const name = isWhole
    ? readModelName(text, settings.current)
    : { provider: model.current.name.provider, model: text };
  return await connect(name, await reach(), () => settings.current);
}
