/** Names under which a tool's result carries what only log and screen read; the model never sees any of it. */

/** A unified diff of what the call changed. */
export const META_DIFF = "diff";

/** A name under which the newest result stays word for word when the conversation is shortened. */
export const META_STAYS = "stays";

/** Which MCP server a result came from: what has been called of a server needs no announcement. */
export const META_SERVER = "mcpServer";

/** True where something in the call was refused because nobody could approve it. */
export const META_UNAPPROVED = "unapproved";
