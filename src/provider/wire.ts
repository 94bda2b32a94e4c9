/** What every wire is made with, and what it is when it is made. */
import type { Env } from "@/lib/proxy.ts";
import type { Provider, Usage } from "@/protocol/provider.ts";
import type { Connection } from "./connection.ts";
import type { Http } from "./http.ts";
import type { ModelSource } from "./model_source.ts";
import type { RetryOptions } from "./retry.ts";
import type { ServerMemory } from "./server_memory.ts";
import type { SilenceLimits } from "./watchdog.ts";

/** What every wire is made with. */
export type WireOptions = {
  connection: Connection;
  /** For providers that find their own credentials. */
  env: Env;
  http: Http;
  memory: ServerMemory;
  limits: SilenceLimits;
  retry: RetryOptions;
  /** The time in milliseconds. */
  now(): number;
  /** An id for a call that came without one: letters, digits, `_` and `-`, at most 40. */
  newId(): string;
  /** Told of each word of a server that is skipped because it is not known. */
  onUnknown?: OnUnknown;
};

/** A provider that can also be asked about its models. */
export type WireProvider = Provider & ModelSource;

/** Where an unknown word stood: APIs add values without notice, and each of them has a place to be skipped at. */
export type UnknownPlace = "event" | "block" | "delta" | "part" | "item" | "stop reason";

/** A word of a server that is not known. Nothing but the word is told: no content, no key. */
export type UnknownWord = { server: string; model: string; place: UnknownPlace; word: string };

export type OnUnknown = (seen: UnknownWord) => void;

/** One try of a request: its signal, and where to report what is seen of the reply. */
export type Try = {
  /** Ends the reading: the caller's interrupt, or silence. */
  signal: AbortSignal;
  /** Of the request. */
  after: Promise<void> | undefined;
  /** Content came. */
  content(): void;
  /** What the try has cost so far. */
  spent(usage: Usage): void;
  /** Something is skipped because it is not known. */
  unknown(place: UnknownPlace, word: string): void;
};
