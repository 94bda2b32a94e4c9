/** Names under which a tool's result carries what only log and screen read; the model never sees any of it. */

/** A unified diff of what the call changed. */
export const META_DIFF = "diff";

/** True where something in the call was refused because nobody could approve it. */
export const META_UNAPPROVED = "unapproved";
