/** The network boundary as the rest of the program sees it: one way out, for commands and for tools. */

/** HTTP for tools and MCP servers. */
export { EgressClient } from "./client.ts";
/** Whether a connection may be made, and making it. */
export { Egress } from "./egress.ts";
/** What a connection that was not made is told by. */
export { EgressRefused, refusalText } from "./refusal.ts";
/** A request of a tool, and what came of it. */
export type { Refusal } from "./refusal.ts";
export type { EgressReply, EgressRequest } from "./client.ts";
