/** What commands about sessions reach. */
import type { CommandResult } from "../spec.ts";

/** The part `sessions` of what commands are lent. */
export type SessionsPart = {
  list(): Promise<string>;
  exportAs(format: "markdown" | "json", file: string | undefined): Promise<CommandResult>;
  title(): string;
  retitle(title: string): Promise<CommandResult>;
};
