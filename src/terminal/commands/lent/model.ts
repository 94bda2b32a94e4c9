/** What commands about the model reach. */
import type { CommandResult } from "../spec.ts";

/** The part `model` of what commands are lent. */
export type ModelPart = {
  status(): Promise<string>;
  /** The models of the connected provider. Throws ProviderError. */
  list(): Promise<string>;
  /** Let the person choose another model of the connected provider; where there is no picker, say what answers now. */
  choose(): Promise<CommandResult>;
  /** Another model of the connected provider, by name. */
  use(model: string): Promise<CommandResult>;
  /** `/connect` with its words. */
  connect(words: readonly string[]): Promise<CommandResult>;
};
