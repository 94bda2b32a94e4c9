/** What `/network` reaches. */
import type { CommandResult } from "../spec.ts";

/** How long a host stays allowed or denied. */
export type NetworkScope = "run" | "project" | "always";

/** The part `network` of what commands are lent. */
export type NetworkPart = {
  /** What of the network can be reached, by what, as text. */
  describe(): Promise<string>;
  allow(host: string, scope: NetworkScope): Promise<CommandResult>;
  deny(host: string, scope: NetworkScope): Promise<CommandResult>;
};
