/** The session log's line format. */
import type { DurableEvent } from "./event.ts";

/** One line of a session file. `at` is ISO 8601 in UTC. */
export type SessionRecord = { v: 1; at: string; event: DurableEvent };
