/** Which model answers: chosen from flag, session, saved connection or what is there; connected when first needed. */
import { PersonError } from "@/protocol/error.ts";
import type { Provider, RequestHints, Usage } from "@/protocol/provider.ts";
import {
  builtInProvider,
  connectionFor,
  type CreateOptions,
  createProvider,
  findProvider,
  type Http,
  type ModelInfo,
  ownProvider,
  PROVIDERS,
  ServerMemory,
  type WireProvider,
} from "@/provider/mod.ts";
import { newCallId } from "@/provider/call_ids.ts";
import type { KnownModel } from "@/provider/price.ts";
import { readSavedProviders } from "@/provider/saved_providers.ts";
import { textWhereToolsAreRefused } from "@/provider/tools_refused.ts";
import type { RunOptions } from "./options.ts";
import { requestCost } from "./prices.ts";
import type { Place } from "./place.ts";
import type { Settings } from "@/settings/settings.ts";
import { unknownLog } from "./unknown_log.ts";

/** A provider and one of its models, by name. */
export type ModelName = { provider: string; model: string };

/** Where the choice may come from, strongest first. */
export type ChoiceSources = {
  /** `-m`. */
  flag?: string;
  /** What a reopened session was last answered by. */
  session?: ModelName;
  settings: Settings;
  create: CreateOptions;
  /** What to do when nothing answers: end with an error, offer the demo, or go on since no model is needed. */
  whenNone: "fail" | "demo" | "go on";
};

const PROBE_MS = 400;

/** What Ollama gives where it is asked for no window and says nothing of the model. */
const UNASKED_WINDOW_TOKENS = 4_096;

/** Between two words of the demo, where a person watches. */
const DEMO_PACE_MS = 12;

/** Read `PROVIDER/MODEL`. Throws PersonError of kind "usage" for a provider that does not exist. */
export function readModelName(text: string, settings: Settings): ModelName {
  const slash = text.indexOf("/");
  const provider = slash === -1 ? text : text.slice(0, slash);
  if (findProvider(provider) === undefined) {
    const names = PROVIDERS.map(({ name }) => name).join(", ");
    throw new PersonError(
      "usage",
      `-m "${text}" names no provider: "${provider}" is none`,
      `Write PROVIDER/MODEL, with one of ${names}; for example ollama/${settings.MODEL}`,
    );
  }
  const model = slash === -1 ? "" : text.slice(slash + 1);
  return { provider, model: model === "" ? defaultModel(provider, settings) : model };
}

function defaultModel(provider: string, settings: Settings): string {
  const model = findProvider(provider)?.defaultModel?.(settings);
  if (model !== undefined) return model;
  throw new PersonError(
    "usage",
    `-m "${provider}" names no model`,
    `Write ${provider}/MODEL; the provider's own list names them`,
  );
}

/** Choose. `notes` are for the person. Throws PersonError where nobody answers and nobody can be asked. */
export async function chooseModel(
  sources: ChoiceSources,
): Promise<ModelName & { notes: readonly string[] }> {
  const { flag, session, settings, create } = sources;
  if (flag !== undefined) return { ...readModelName(flag, settings), notes: [] };
  if (session !== undefined && findProvider(session.provider) !== undefined) {
    return { ...session, notes: [] };
  }
  const { active } = create.saved;
  if (active !== undefined && findProvider(active) !== undefined) {
    const model = create.saved.providers[active]?.model ?? defaultModel(active, settings);
    return { provider: active, model, notes: [] };
  }
  const own = ownProvider().name;
  const local = { provider: own, model: defaultModel(own, settings), notes: [] };
  if (sources.whenNone === "go on") return local;
  const lookedAt = await silentPlace(create);
  if (lookedAt === undefined) return local;
  return notConnected(sources, lookedAt);
}

/** Undefined when the person's own server answers, else where it was looked for. */
async function silentPlace(create: CreateOptions): Promise<string | undefined> {
  const declaration = ownProvider();
  const provider = await createProvider(declaration, { ...create, retry: { retriesMax: 0 } });
  try {
    await provider.models(AbortSignal.timeout(PROBE_MS));
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return connectionFor(declaration, create)?.baseUrl ?? "its address";
  }
}

function notConnected(
  { whenNone, create, settings }: ChoiceSources,
  lookedAt: string,
): ModelName & { notes: readonly string[] } {
  const isSet = (variable: string) => (create.env[variable] ?? "") !== "";
  const keys = PROVIDERS.filter(({ needsKey }) => needsKey).flatMap(({ name, reached }) =>
    (reached?.keyVariables ?? []).filter(isSet).map((key) =>
      `${key} is set: -m ${name}/MODEL uses it`
    )
  );
  const real = [...keys, `start ${ownProvider().title} (looked for at ${lookedAt})`];
  const { name } = builtInProvider();
  const demo = { provider: name, model: defaultModel(name, settings) };
  if (whenNone === "fail") {
    const ways = [...real, `-m ${demo.provider}/${demo.model} shows the tools without a model`];
    throw new PersonError("provider", "No model is connected", `Ways to go on: ${ways.join("; ")}`);
  }
  return {
    ...demo,
    notes: [
      "No model is connected, so the built-in demo answers: a scripted model with real tools",
      `To talk to a real one: ${real.join("; ")}`,
    ],
  };
}

/** What providers are made with in this run. Settings are read when they are needed, so that a change counts at once. */
export async function reachOptions(
  { run, place, http, settings, isInteractive, warn, memory = new ServerMemory() }: ReachParts,
): Promise<CreateOptions> {
  const { saved, damaged } = await readSavedProviders(place.paths.providers);
  if (damaged !== undefined) {
    warn(
      `Saved keys are not used: "${place.paths.providers}" cannot be read (${damaged}). Mend it; ` +
        "to connect again sets it aside and begins a new one",
    );
  }
  return {
    env: place.env,
    http,
    memory,
    saved,
    savedIn: place.paths.providers,
    limits: {
      get firstTokenMs() {
        return settings().FIRST_TOKEN_TIMEOUT * 1000;
      },
      get idleMs() {
        return settings().STREAM_IDLE_TIMEOUT * 1000;
      },
    },
    settings: {
      get numCtx() {
        return settings().NUM_CTX;
      },
      demoPaceMs: isInteractive ? DEMO_PACE_MS : 0,
    },
    ...(run.baseUrl === undefined ? {} : { baseUrl: run.baseUrl }),
    onUnknown: unknownLog({ path: place.paths.debugLog, isOn: () => settings().DEBUG_LOG, warn }),
  };
}

type ReachParts = {
  run: RunOptions;
  place: Place;
  http: Http;
  settings(): Settings;
  isInteractive: boolean;
  warn(line: string): void;
  /** What servers have taught until now: the same for every provider of a run. */
  memory?: ServerMemory;
};

/** Make the provider of a chosen model. Nothing is sent yet. */
export async function connect(
  { provider, model }: ModelName,
  create: CreateOptions,
  settings: () => Settings,
): Promise<ConnectedModel> {
  const declaration = findProvider(provider);
  if (declaration === undefined) throw new Error(`The provider "${provider}" went away`);
  const source = await createProvider(declaration, create);
  // The makers' own servers have a tool parser; a text there that looks like a call is an answer about calls.
  const isMakersOwn = declaration.needsKey &&
    connectionFor(declaration, create)?.baseUrlFrom.kind === "default";
  return new ConnectedModel({ provider, model }, {
    source,
    settings,
    readsText: !isMakersOwn,
    isSelfHosted: declaration.reached?.isSelfHosted === true,
  });
}

/** `PROVIDER/MODEL`. */
export function modelText({ name }: { name: ModelName }): string {
  return `${name.provider}/${name.model}`;
}

/** A chosen model; nothing is sent before it is first needed. */
export class ConnectedModel {
  readonly name: ModelName;
  readonly #source: WireProvider;
  #provider: Provider;
  #known: KnownModel | undefined;
  readonly #settings: () => Settings;
  readonly #readsText: boolean;
  readonly #isSelfHosted: boolean;
  #info: ModelInfo;
  #protocol: "native" | "text" | undefined;
  /** Learnt from a refusal. */
  #refusesTools = false;

  constructor(
    name: ModelName,
    { source, settings, readsText, isSelfHosted = false }: {
      source: WireProvider;
      settings: () => Settings;
      /** Whether a certain call in the text of a native model is run (TEXT_CALLS_FROM_NATIVE). */
      readsText: boolean;
      /** See ProviderDeclaration. */
      isSelfHosted?: boolean;
    },
  ) {
    this.name = name;
    this.#source = source;
    this.#readsText = readsText;
    this.#isSelfHosted = isSelfHosted;
    this.#provider = source;
    this.#settings = settings;
    this.#info = { name: name.model };
  }

  /** Ask the server what it says of the model, until it has answered once; until then the text protocol holds. */
  async prepare(signal: AbortSignal): Promise<void> {
    const { model } = this.name;
    const { NATIVE_TOOLS } = this.#settings();
    const isNative = NATIVE_TOOLS && !this.#refusesTools;
    const protocol = isNative ? await this.#source.protocolOf(model, signal) : "text";
    this.#info = await this.#source.model(model, signal);
    const { knownModel } = await import("@/provider/model_table.ts");
    this.#known = knownModel(this.name.provider, model);
    this.#provider = await this.#speaking(protocol);
    this.#protocol = protocol;
  }

  async #speaking(protocol: "native" | "text"): Promise<Provider> {
    if (protocol === "text") return await this.#inText();
    return textWhereToolsAreRefused(await this.#native(), {
      text: () => this.#inText(),
      refused: () => {
        this.#refusesTools = true;
        this.#protocol = "text";
      },
    });
  }

  async #inText(): Promise<Provider> {
    const { withTextProtocol } = await import("@/provider/text_protocol.ts");
    return withTextProtocol(this.#source, { newId: newCallId });
  }

  async #native(): Promise<Provider> {
    if (!this.#readsText || !this.#settings().TEXT_CALLS_FROM_NATIVE) return this.#source;
    const { textCallsFromNative } = await import("@/provider/text_protocol.ts");
    return textCallsFromNative(this.#source, { newId: newCallId });
  }

  /** Undefined until the model was asked. */
  get protocol(): "native" | "text" | undefined {
    return this.#protocol;
  }

  /** The provider in the protocol that the model speaks. */
  get provider(): Provider {
    return this.#provider;
  }

  /** The window that a request may fill, in tokens. */
  get windowTokens(): number {
    const { NUM_CTX } = this.#settings();
    const known = this.#info.windowTokens ?? this.#known?.windowTokens;
    const asked = NUM_CTX === 0 ? known ?? UNASKED_WINDOW_TOKENS : NUM_CTX;
    if (known === undefined) return asked;
    return this.#isSelfHosted ? Math.min(known, asked) : known;
  }

  /** The cap on one reply, in tokens. */
  get outputTokensMax(): number {
    const { NUM_PREDICT, MAX_OUTPUT_TOKENS } = this.#settings();
    if (this.#isSelfHosted) return NUM_PREDICT;
    const own = this.#info.outputTokensMax ?? this.#known?.outputTokensMax;
    return Math.min(MAX_OUTPUT_TOKENS, own ?? MAX_OUTPUT_TOKENS);
  }

  /** What is known of it that decides how long a summary for it may be. */
  get size(): { isSelfHosted: boolean; parameters?: number } {
    const { parameters } = this.#info;
    return {
      isSelfHosted: this.#isSelfHosted,
      ...(parameters === undefined ? {} : { parameters }),
    };
  }

  /** What is wished of the model; a provider that has no place for a wish ignores it. */
  get hints(): RequestHints {
    const { THINKING, EFFORT, CACHE_LIFETIME } = this.#settings();
    return {
      cacheTtl: CACHE_LIFETIME,
      ...(THINKING === "" ? {} : { thinking: THINKING }),
      ...(EFFORT === "" ? {} : { effort: EFFORT }),
    };
  }

  /** What a request cost, in dollars; null where the price is not known. */
  cost(usage: Usage): number | null {
    return requestCost({ ...this.name, usage }, this.#settings(), this.#known);
  }

  models(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    return this.#source.models(signal);
  }
}

/** Which model answers now; `/connect` puts another in its place. */
export class ModelSlot {
  #current: ConnectedModel;

  constructor(first: ConnectedModel) {
    this.#current = first;
  }

  get current(): ConnectedModel {
    return this.#current;
  }

  /** The next request goes to this one. */
  replace(next: ConnectedModel): void {
    this.#current = next;
  }
}
