/** `/connect` and `harness connect`: choose a provider and one of its own models, see what each needs, forget a key. */
import type { Choice } from "./choosing.ts";
import { ProviderError } from "@/protocol/provider.ts";
import { connect, type ModelName } from "@/compose/model.ts";
import { originText } from "@/provider/connection.ts";
import {
  type Connection,
  connectionFor,
  type CreateOptions,
  createProvider,
  findProvider,
  type ModelInfo,
  type ProviderDeclaration,
  PROVIDERS,
  type WireProvider,
} from "@/provider/mod.ts";
import { isLoopback } from "@/lib/loopback.ts";
import { forgetKey, type ProviderPatch, saveProvider } from "@/provider/saved_providers.ts";
import type { Settings } from "@/settings/settings.ts";
import { type CommandResult, done, misused, refused } from "@/terminal/commands/spec.ts";
import { personText } from "@/terminal/error_text.ts";

/** What connecting needs of whoever asks for it. */
export type ConnectParts = {
  /** What providers are made with, read anew: the saved keys may have changed. */
  reach(): Promise<CreateOptions>;
  /** Let the person choose; undefined when nobody can be asked, or nothing is chosen. */
  ask(choice: Choice): Promise<string | undefined>;
  /** Whether somebody is there who can choose; who then chooses nothing has given it up. */
  canAsk: boolean;
  /** Take a secret that is not shown; undefined when there is none to be had. */
  secret(text: string): Promise<string | undefined>;
  settings(): Settings;
  /** The choice holds from now on. */
  onConnected(name: ModelName): Promise<void>;
  warn(line: string): void;
};

const LIST_MS = 15_000;
const LISTED_MAX = 60;
const GIVEN_UP = "Nothing was connected; the model stays as it was";

/** Run the command with its words. Never throws for what the person can mend. */
export async function connectCommand(
  words: readonly string[],
  parts: ConnectParts,
): Promise<CommandResult> {
  const [first, second] = words;
  try {
    if (first === "status") return done(await statusText(parts));
    if (first === "forget") return await forget(second, parts);
    const declaration = first === undefined ? await chooseProvider(parts) : findProvider(first);
    if (declaration !== undefined) return await connectTo(declaration, second, parts);
    const named = first === undefined ? undefined : providerAndModel(first);
    if (named !== undefined) return await connectTo(named.declaration, named.model, parts);
    return first === undefined && parts.canAsk ? done(GIVEN_UP) : noProvider(first);
  } catch (error) {
    const said = personText(error);
    if (said === undefined) throw error;
    return refused(said);
  }
}

/** A text that is written as `-m` takes it, PROVIDER/MODEL; undefined for any other. */
export function providerAndModel(
  text: string,
): { declaration: ProviderDeclaration; model: string } | undefined {
  const [, provider = "", model = ""] = /^([^/]*)\/(.+)$/.exec(text) ?? [];
  const declaration = findProvider(provider);
  return declaration === undefined || model === "" ? undefined : { declaration, model };
}

function noProvider(name: string | undefined): CommandResult {
  const names = PROVIDERS.map((one) => one.name).join(", ");
  if (name === undefined) return misused(`Nothing was connected. The providers are ${names}`);
  return misused(`No provider is named "${name}"; the providers are ${names}`);
}

async function chooseProvider(parts: ConnectParts): Promise<ProviderDeclaration | undefined> {
  const reach = await parts.reach();
  const name = await parts.ask({
    text: "Connect which provider?",
    options: PROVIDERS.map(({ name }) => name),
    details: PROVIDERS.map((one) => connectionFacts(one, reach).join("; ")),
    current: reach.saved.active,
    freeText: false,
  });
  return name === undefined ? undefined : findProvider(name);
}

async function connectTo(
  declaration: ProviderDeclaration,
  named: string | undefined,
  parts: ConnectParts,
): Promise<CommandResult> {
  const { name, title } = declaration;
  const found = await reachedWithKey(declaration, named, parts);
  if (found === undefined) return refused(keyHint(declaration));
  const { provider, models, reach, key } = found;
  const patch: ProviderPatch = {
    ...(reach.baseUrl === undefined ? {} : { base_url: reach.baseUrl }),
    ...(key === "" ? {} : { api_key: key }),
  };
  const model = named ?? await chooseModelOf(declaration, models, parts);
  if (model === undefined) {
    if (parts.canAsk && models.length > 0) return done(GIVEN_UP);
    return misused(`Name a model: connect ${name} MODEL. ${title} offers ${names(models)}`);
  }
  const isListed = models.length === 0 || models.some((one) => one.name === model);
  if (declaration.reached === undefined && !isListed) {
    return misused(`No script of ${title} is named "${model}"; it has ${names(models)}`);
  }
  const info = await provider.model(model, AbortSignal.timeout(LIST_MS));
  const protocol = await protocolOf({ provider: name, model }, reach, parts);
  await saveProvider(reach.savedIn, { name, patch: { ...patch, model } }, {
    onDamaged: ({ keptAs }) => parts.warn(`providers.json was damaged and is kept as "${keptAs}"`),
  });
  await parts.onConnected({ provider: name, model });
  const rows = [
    `Connected to ${title}, ${model} (${protocol} protocol)`,
    ...(isListed
      ? []
      : [`${title} does not list "${model}"; the first request will show whether it knows it`]),
    ...floorNotes(info, protocol),
  ];
  return done(rows.join("\n"));
}

type Reached = {
  provider: WireProvider;
  models: readonly ModelInfo[];
  reach: CreateOptions;
  /** Typed just now; empty where none was. */
  key: string;
};

/**
 * The provider with its list of models, and the key that was typed for it: asked for before where there is need of
 * one, and after where the server wants one. Undefined where it cannot do without and nobody typed any.
 */
async function reachedWithKey(
  declaration: ProviderDeclaration,
  named: string | undefined,
  parts: ConnectParts,
): Promise<Reached | undefined> {
  const { name } = declaration;
  const reach = await parts.reach();
  const connection = connectionFor(declaration, reach);
  const need = needOfKey(declaration, connection);
  let key = need === "none" ? "" : await typedKey(declaration, connection, parts);
  if (need === "must" && key === "") return undefined;
  for (;;) {
    const used = key === "" ? reach : withKey(reach, name, key);
    const provider = await createProvider(declaration, used);
    try {
      const models = await listed(() => provider.models(AbortSignal.timeout(LIST_MS)), named);
      return { provider, models, reach: used, key };
    } catch (error) {
      const isKeyless = key === "" && connection !== undefined && connection.key === undefined &&
        connection.provider.credentials === undefined;
      if (!(error instanceof ProviderError) || error.kind !== "auth" || !isKeyless) throw error;
      key = await typedKey(declaration, connection, parts);
      if (key === "") throw error;
    }
  }
}

/** A key must be there at a provider's own address; a server elsewhere may want one, one on this machine seldom does. */
function needOfKey(
  declaration: ProviderDeclaration,
  connection: Connection | undefined,
): "must" | "may" | "none" {
  if (isKeyMissing(declaration, connection)) return "must";
  if (!declaration.needsKey || connection === undefined || connection.key !== undefined) {
    return "none";
  }
  if (connection.provider.credentials !== undefined) return "none";
  return isLoopback(new URL(connection.baseUrl).hostname) ? "none" : "may";
}

async function typedKey(
  { title }: ProviderDeclaration,
  connection: Connection | undefined,
  parts: ConnectParts,
): Promise<string> {
  const isOwn = connection?.baseUrlFrom.kind === "default";
  const question = isOwn
    ? `Key for ${title} (it is not shown): `
    : `Key for ${connection?.baseUrl ?? title} (it is not shown; Enter for none): `;
  return (await parts.secret(question))?.trim() ?? "";
}

/** The list of models; a server that has no list is no obstacle where the person named the model. */
async function listed(
  ask: () => Promise<readonly ModelInfo[]>,
  named: string | undefined,
): Promise<readonly ModelInfo[]> {
  try {
    return await ask();
  } catch (error) {
    const isOnlyTheList = error instanceof ProviderError && error.kind === "not_found";
    if (named !== undefined && isOnlyTheList) return [];
    throw error;
  }
}

async function chooseModelOf(
  { name, title }: ProviderDeclaration,
  models: readonly ModelInfo[],
  parts: ConnectParts,
): Promise<string | undefined> {
  if (models.length === 0) return undefined;
  const shown = models.slice(0, LISTED_MAX);
  return await parts.ask({
    text: `Which model of ${title}?`,
    options: shown.map((model) => model.name),
    details: shown.map(modelFacts),
    current: (await parts.reach()).saved.providers[name]?.model,
  });
}

/** What the provider says of a model, in a few words. */
export function modelFacts({ windowTokens }: ModelInfo): string {
  return windowTokens === undefined ? "" : `${windowTokens.toLocaleString("en-US")} tokens`;
}

function names(models: readonly ModelInfo[]): string {
  if (models.length === 0) return "no list of models";
  const more = models.length > LISTED_MAX ? ` and ${models.length - LISTED_MAX} more` : "";
  return models.slice(0, LISTED_MAX).map((model) => model.name).join(", ") + more;
}

/** A key is needed at a provider's own address only: a server of one's own may want none. */
function isKeyMissing(
  { needsKey }: ProviderDeclaration,
  connection: Connection | undefined,
): boolean {
  if (connection?.provider.credentials !== undefined) return false;
  return needsKey && connection?.key === undefined && connection?.baseUrlFrom.kind === "default";
}

function keyHint({ name, title, reached }: ProviderDeclaration): string {
  const variables = (reached?.keyVariables ?? []).join(" or ");
  return `${title} needs a key: set ${variables}, or type it at /connect ${name}`;
}

function withKey(reach: CreateOptions, name: string, key: string): CreateOptions {
  const { saved } = reach;
  const entry = { ...saved.providers[name], api_key: key };
  return { ...reach, saved: { ...saved, providers: { ...saved.providers, [name]: entry } } };
}

async function forget(
  name: string | undefined,
  { reach, warn }: ConnectParts,
): Promise<CommandResult> {
  const declaration = name === undefined ? undefined : findProvider(name);
  if (name === undefined || declaration === undefined) return noProvider(name);
  const { savedIn, env } = await reach();
  const had = await forgetKey(savedIn, name, {
    onDamaged: ({ keptAs }) => warn(`providers.json was damaged and is kept as "${keptAs}"`),
  });
  const variable = declaration.reached?.keyVariables.find((one) => (env[one] ?? "") !== "");
  const rows = [
    had
      ? `The saved key for ${declaration.title} is deleted`
      : `No key was saved for ${declaration.title}`,
    ...(variable === undefined
      ? []
      : [`${variable} is still set in your shell; harness cannot unset it`]),
  ];
  return done(rows.join("\n"));
}

/** How tools are offered to a model: what its server says, unless a setting overrules it. */
async function protocolOf(
  name: ModelName,
  reach: CreateOptions,
  { settings }: ConnectParts,
): Promise<"native" | "text"> {
  const model = await connect(name, reach, settings);
  await model.prepare(AbortSignal.timeout(LIST_MS));
  return model.protocol ?? "text";
}

async function statusText(parts: ConnectParts): Promise<string> {
  const options = await parts.reach();
  const { saved } = options;
  const rows = PROVIDERS.map(async (declaration) => {
    const { name } = declaration;
    const isActive = saved.active === name;
    const model = saved.providers[name]?.model;
    const spoken = isActive && model !== undefined
      ? [`${await protocolOf({ provider: name, model }, options, parts)} protocol`]
      : [];
    const facts = [model ?? "no model chosen", ...spoken, ...connectionFacts(declaration, options)];
    return `${isActive ? "*" : " "} ${name.padEnd(10)} ${facts.join("; ")}`;
  });
  return (await Promise.all(rows)).join("\n");
}

function connectionFacts(declaration: ProviderDeclaration, options: CreateOptions): string[] {
  const connection = connectionFor(declaration, options);
  if (connection === undefined) return ["built in"];
  const { baseUrl, baseUrlFrom, key, keyFrom } = connection;
  const where = `${baseUrl} (${originText(baseUrlFrom)})`;
  if (key !== undefined && keyFrom !== undefined) return [where, `key from ${originText(keyFrom)}`];
  const found = connection.provider.credentials?.(options.env);
  if (found !== undefined) return [where, `no key to paste: credentials from ${found}`];
  if (!declaration.needsKey) return [where, "no key needed"];
  return [where, isKeyMissing(declaration, connection) ? keyHint(declaration) : "no key"];
}

/** What the seed's measurements say of models of this size, when one is chosen. */
function floorNotes(info: ModelInfo, protocol: "native" | "text"): string[] {
  const notes: string[] = [];
  const billions = info.parameters === undefined ? undefined : info.parameters / 1e9;
  if (billions !== undefined && billions < 3.5) {
    notes.push(
      `${info.name} is below the floor (${
        billions.toFixed(1)
      }B): expect it to describe a tool call rather than make one`,
    );
  } else if (billions !== undefined && billions < 8 && protocol === "text") {
    notes.push(
      `${info.name} is at the floor (${
        billions.toFixed(1)
      }B without tool calls of its own): fine for one-shot edits`,
    );
  }
  if (info.windowTokens !== undefined && info.windowTokens < 16_384) {
    notes.push(`Its window of ${info.windowTokens} tokens is small: below 16,384 little work fits`);
  }
  return notes;
}
