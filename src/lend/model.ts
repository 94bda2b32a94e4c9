/** What commands about the model are lent. */
import type { Harness } from "@/agent/harness.ts";
import {
  connect,
  type ConnectedModel,
  type ModelName,
  modelText,
  readModelName,
} from "@/compose/model.ts";
import type { AppParts, ScreenParts } from "@/compose/parts.ts";
import { ProviderError } from "@/protocol/provider.ts";
import { findProvider } from "@/provider/mod.ts";
import type { Settings } from "@/settings/settings.ts";
import type { ModelPart } from "@/terminal/commands/lent/model.ts";
import { type CommandResult, done } from "@/terminal/commands/spec.ts";
import { chooseOn } from "./choosing.ts";

/** How long a server may take to list its models. */
const ASK_MS = 15_000;

const EFFORTS: readonly Settings["EFFORT"][] = ["", "low", "medium", "high", "max"];

type Needs = Pick<AppParts, "model" | "reach" | "settings">;

/** Build it. */
export function modelPart(
  parts: Needs,
  { harness, screen }: { harness: Harness; screen: ScreenParts },
): ModelPart {
  const { model, reach, settings } = parts;
  /** The next request goes to this one. */
  const goOnWith = async (name: ModelName) => {
    const next = await connect(name, await reach(), () => settings.current);
    // A turn that runs has asked the model before it, and asks none in the middle.
    if (harness.isRunning) await next.prepare(AbortSignal.timeout(ASK_MS));
    model.replace(next);
    // A session that has not begun tells its model when it does.
    if (harness.turn > 0) harness.emit({ type: "model", ...name });
  };
  const connectBy = async (words: readonly string[]) => {
    const { connectCommand } = await import("./connect.ts");
    return await connectCommand(words, {
      reach,
      settings: () => settings.current,
      ask: (choice) => chooseOn(screen, choice),
      canAsk: screen.pick !== undefined,
      secret: (text) => screen.secret?.(text) ?? Promise.resolve(undefined),
      onConnected: goOnWith,
      warn: (text) => harness.emit({ type: "notice", level: "warn", text }),
    });
  };
  const use = async (text: string) => connectBy(await wordsFor(text, model.current));
  return {
    status: () => Promise.resolve(statusText(parts)),
    list: async () => {
      const models = await model.current.models(AbortSignal.timeout(ASK_MS));
      return models.map(({ name, windowTokens }) => {
        const mark = name === model.current.name.model ? "*" : " ";
        return `${mark} ${name}${windowTokens === undefined ? "" : `  (${windowTokens} tokens)`}`;
      }).join("\n");
    },
    names: async (signal) => {
      const { provider } = model.current.name;
      return (await model.current.models(signal)).map(({ name }) => `${provider}/${name}`);
    },
    here: async (name) => await goOnWith(readModelName(name, settings.current)),
    effort: () =>
      hasEffort(model.current.name) ? { now: settings.current.EFFORT, levels: EFFORTS } : undefined,
    setEffort: (level) => settings.setForSession("EFFORT", level),
    use,
    choose: async () => {
      const { pick } = screen;
      if (pick === undefined) return done(statusText(parts));
      return await chooseModel(parts, { pick, use, goOnWith });
    },
    connect: connectBy,
  };
}

/** A provider's own name for a model may hold a slash: what it does not list is read as PROVIDER/MODEL. */
async function wordsFor(text: string, current: ConnectedModel): Promise<readonly string[]> {
  const { providerAndModel } = await import("./connect.ts");
  const here = [current.name.provider, text];
  if (providerAndModel(text) === undefined) return here;
  try {
    const models = await current.models(AbortSignal.timeout(ASK_MS));
    return models.some(({ name }) => name === text) ? here : [text];
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return [text];
  }
}

/** Only makers' own servers have a place for the wish. */
function hasEffort({ provider }: ModelName): boolean {
  return findProvider(provider)?.needsKey === true;
}

function statusText({ model: { current } }: Pick<Needs, "model">): string {
  const { protocol, windowTokens, outputTokensMax } = current;
  return [
    modelText(current),
    `protocol: ${protocol ?? "not asked yet"}`,
    `window: ${windowTokens} tokens, reply at most ${outputTokensMax}`,
  ].join("\n");
}

/** The picker of the provider's models. Throws ProviderError where it cannot list them. */
async function chooseModel(
  { model, settings }: Needs,
  { pick, use, goOnWith }: Required<Pick<ScreenParts, "pick">> & {
    use(name: string): Promise<CommandResult>;
    goOnWith(name: ModelName): Promise<void>;
  },
): Promise<CommandResult> {
  const { provider, model: now } = model.current.name;
  const [models, { modelFacts }] = await Promise.all([
    model.current.models(AbortSignal.timeout(ASK_MS)),
    import("./connect.ts"),
  ]);
  const takesEffort = hasEffort(model.current.name);
  const effort = Math.max(0, EFFORTS.indexOf(settings.current.EFFORT));
  const picked = await pick({
    title: "Select model",
    text: `Models of ${provider}; /connect changes the provider.`,
    rows: models.map((one) => ({
      label: one.name,
      detail: modelFacts(one),
      isCurrent: one.name === now,
    })),
    current: Math.max(0, models.findIndex(({ name }) => name === now)),
    ...(takesEffort && {
      dial: {
        label: "effort",
        options: EFFORTS.map((one) => one === "" ? "its own" : one),
        current: effort,
      },
    }),
    actions: [
      { key: "enter", label: "set as default" },
      { key: "s", label: "this session only" },
    ],
  });
  const name = picked.isCancelled ? undefined : models[picked.row]?.name;
  if (picked.isCancelled || name === undefined) return done(`${provider}/${now} goes on answering`);
  const wished = EFFORTS[picked.dial] ?? "";
  const isDefault = picked.action === 0;
  if (takesEffort && wished !== settings.current.EFFORT) {
    if (isDefault) await settings.set("EFFORT", wished === "" ? "default" : wished);
    else settings.setForSession("EFFORT", wished);
  }
  if (isDefault) return await use(name);
  await goOnWith({ provider, model: name });
  return done(`${provider}/${name} answers in this session`);
}
