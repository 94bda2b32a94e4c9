/** What `/mcp` reaches: the servers of the conversation. */
import type { CommandResult } from "../spec.ts";

/** What can be asked about servers. A server goes by the name it is declared under, or by that in its tools' names. */
export type McpRequest =
  /** Every declared server: how it is reached, how it stands, what it offers. Not ok when one is broken. */
  | { do: "list" }
  /** What one or all offer; tools under the names that models see and rules are written for. */
  | { do: "tools" | "resources" | "prompts"; server?: string }
  /** What a server's prompt says, as the person's next message. */
  | { do: "prompt"; server: string; name: string; args: Readonly<Record<string, string>> }
  /** Read the files again and connect anew. */
  | { do: "reload" }
  | { do: "connect"; server: string }
  /** Sign in to a server in the person's browser, or forget that. */
  | { do: "login" | "logout"; server: string }
  /** Attach or detach all for this conversation. */
  | { do: "turn"; isOn: boolean }
  /** Declare a server in the person's own file: a command with its arguments, or an address. */
  | { do: "add"; name: string; words: readonly string[] }
  | { do: "remove"; name: string };

/** The part `mcp` of what commands are lent. */
export type McpPart = { act(request: McpRequest): Promise<CommandResult> };
