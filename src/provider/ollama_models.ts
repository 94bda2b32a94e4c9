/** What an Ollama server says of its models: `/api/tags`, `/api/show`, `/api/ps`. */
import * as z from "zod";
import { parsedJson } from "@/lib/json.ts";
import type { HttpRequest } from "./http.ts";
import type { ModelInfo } from "./model_source.ts";
import type { ModelPage, Server } from "./server.ts";
import { tokenCount } from "./token_count.ts";

const tagsReply = z.looseObject({
  models: z.array(z.looseObject({
    name: z.string(),
    details: z.looseObject({ parameter_size: z.string().optional() }).nullish(),
  })).nullish(),
});

const showReply = z.looseObject({
  capabilities: z.array(z.string()).nullish(),
  model_info: z.record(z.string(), z.unknown()).nullish(),
  details: z.looseObject({ parameter_size: z.string().optional() }).nullish(),
});

const psReply = z.looseObject({
  models: z.array(z.looseObject({
    name: z.string().optional(),
    model: z.string().optional(),
    context_length: tokenCount,
  })).nullish(),
});

const SHOW_MS_MAX = 2_000;
const PS_MS_MAX = 1_000;

/** The models of `/api/tags`; undefined when the reply is none. */
export function readTags(value: unknown): ModelPage | undefined {
  const reply = tagsReply.safeParse(value);
  if (!reply.success) return undefined;
  const models = (reply.data.models ?? []).map(({ name, details }) => ({
    name,
    ...sizeOf(details?.parameter_size),
  }));
  return { models };
}

/** What `/api/show` says of a model; undefined when it says nothing about capabilities. */
function readShow(name: string, text: string): ModelInfo | undefined {
  const reply = showReply.safeParse(parsedJson(text));
  if (!reply.success) return undefined;
  const { capabilities, model_info: info, details } = reply.data;
  const window = trainedWindow(info ?? {});
  return {
    name,
    ...(window === undefined ? {} : { windowTokens: window }),
    // Servers before 0.6.4 list no capabilities: whether such a model takes tools is not known.
    ...(capabilities === null || capabilities === undefined ? {} : {
      takesTools: capabilities.includes("tools"),
      takesImages: capabilities.includes("vision"),
      thinks: capabilities.includes("thinking"),
    }),
    ...sizeOf(details?.parameter_size),
  };
}

/** The window really allocated for a loaded model, from `/api/ps`. */
function readLoadedWindow(name: string, text: string): number | undefined {
  const reply = psReply.safeParse(parsedJson(text));
  const models = reply.success ? reply.data.models ?? [] : [];
  const names = [name, name.includes(":") ? name : `${name}:latest`];
  const loaded = models.find((entry) =>
    names.includes(entry.name ?? "") || names.includes(entry.model ?? "")
  );
  return loaded?.context_length;
}

/**
 * Facts about models, asked of the server once each and kept: the key is the model, since one instance belongs to
 * one server. A server that does not answer in time is asked again at the next opportunity.
 */
export class OllamaModels {
  readonly #server: Server;
  readonly #known = new Map<string, ModelInfo>();

  constructor(server: Server) {
    this.#server = server;
  }

  /** What the server says of a model; undefined when it cannot be asked. Throws only the signal's reason. */
  async ask(name: string, signal: AbortSignal): Promise<ModelInfo | undefined> {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const request = this.#server.post("/api/show", { model: name });
    const text = await this.#text(request, { signal, timeoutMs: SHOW_MS_MAX });
    const info = text === undefined ? undefined : readShow(name, text);
    if (info !== undefined) this.#known.set(name, info);
    return info;
  }

  /** The window that the server has really allocated for a model; undefined when it does not say. */
  async loadedWindow(name: string, signal: AbortSignal): Promise<number | undefined> {
    const text = await this.#text(this.#server.get("/api/ps"), { signal, timeoutMs: PS_MS_MAX });
    return text === undefined ? undefined : readLoadedWindow(name, text);
  }

  async #text(
    request: HttpRequest,
    limits: { signal: AbortSignal; timeoutMs: number },
  ): Promise<string | undefined> {
    const reply = await this.#server.ask(request, limits);
    return reply?.status === 200 ? reply.text : undefined;
  }
}

function trainedWindow(info: Readonly<Record<string, unknown>>): number | undefined {
  const architecture = info["general.architecture"];
  const named = typeof architecture === "string"
    ? info[`${architecture}.context_length`]
    : undefined;
  const found = named ??
    Object.entries(info).find(([key]) => key.endsWith(".context_length"))?.[1];
  return tokenCount.safeParse(found).data;
}

/** "8.0B", "568.42M", "1.5T". */
function sizeOf(text: string | undefined): Pick<ModelInfo, "parameters"> {
  const match = /^([\d.]+)\s*([KMBT])$/i.exec(text?.trim() ?? "");
  if (match === null) return {};
  const [, amount = "", unit = ""] = match;
  const factor = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 }[unit.toUpperCase()] ?? 1;
  return { parameters: Number(amount) * factor };
}
