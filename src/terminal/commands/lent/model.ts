/** What commands about the model reach. */
import type { CommandResult } from "../spec.ts";

/** The part `model` of what commands are lent. */
export type ModelPart = {
  status(): Promise<string>;
  /** The models of the connected provider. Throws ProviderError. */
  list(): Promise<string>;
  /** `/connect` with its words. */
  connect(words: readonly string[]): Promise<CommandResult>;
};
