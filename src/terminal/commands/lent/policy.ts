/** What `/perms` reaches: the rules. */
import type { CommandResult } from "../spec.ts";

/** The part `policy` of what commands are lent. */
export type PolicyPart = {
  /** Rules in force and the problems of the files they come from. */
  describe(): Promise<string>;
  add(verdict: "allow" | "deny", rule: string): Promise<CommandResult>;
  reload(): Promise<CommandResult>;
  /** What would happen with a call written as TOOL(ARG), and why. */
  check(call: string): Promise<CommandResult>;
};
