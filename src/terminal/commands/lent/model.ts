/** What commands about the model reach. */
import type { Settings } from "@/settings/settings.ts";
import type { CommandResult } from "../spec.ts";

/** A wish, or "" for none. */
export type Effort = Settings["EFFORT"];

/** The part `model` of what commands are lent. */
export type ModelPart = {
  status(): Promise<string>;
  /** The models of the connected provider. Throws ProviderError. */
  list(): Promise<string>;
  /** Let the person choose another model of the connected provider; where there is no picker, say what answers now. */
  choose(): Promise<CommandResult>;
  /** The same for a program, by PROVIDER/MODEL. Throws ProviderError. */
  names(signal: AbortSignal): Promise<readonly string[]>;
  /** PROVIDER/MODEL answers from the next request on, in this session only. Throws PersonError for a provider that is none. */
  here(name: string): Promise<void>;
  /** How much it is asked to think, "" for its own measure; undefined where it has no place for the wish. */
  effort(): { now: Effort; levels: readonly Effort[] } | undefined;
  /** Ask it to think that much, in this session only. */
  setEffort(level: Effort): void;
  /** Another model of the connected provider by its name there, or of any by PROVIDER/MODEL. */
  use(model: string): Promise<CommandResult>;
  /** `/connect` with its words. */
  connect(words: readonly string[]): Promise<CommandResult>;
};
