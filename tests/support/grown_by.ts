/** How much memory something takes, in a process of its own. */
import { ok } from "node:assert/strict";
import { runChild } from "./run_child.ts";

/** Bytes that the resident memory grew by. What can be done is in memory_child.ts. */
export async function grownBy(
  what: "view" | "session" | "output",
  subject: string,
): Promise<number> {
  const asked = JSON.stringify({ what, subject });
  const found = await runChild("memory_child.ts", asked, ["--allow-run", "--allow-write"]);
  const { grown, hasCome } = found as { grown: number; hasCome: boolean };
  ok(hasCome, `nothing came of ${what}`);
  return grown;
}
