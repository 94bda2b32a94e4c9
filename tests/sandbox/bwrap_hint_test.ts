import { equal, match } from "node:assert/strict";
import { bwrapHint } from "@/sandbox/bwrap_hint.ts";

/** What bubblewrap says on machines that were not here, and what helps there. */
const SAID: readonly (readonly [string, RegExp])[] = [
  ["bwrap: setting up uid map: Permission denied", /Ubuntu 24\.04 .*bwrap-userns-restrict/],
  ["bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", /Ubuntu 24\.04/],
  ["bwrap: Creating new namespace failed: Operation not permitted", /seccomp=unconfined/],
  ["bwrap: No permissions to create new namespace, likely because …", /seccomp=unconfined/],
  ["bwrap: Failed to make / slave: Permission denied", /apparmor=unconfined/],
  ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", /systempaths=unconfined/],
  ["bwrap: … /proc/sys/user/max_user_namespaces …", /sysctl user\.max_user_namespaces/],
];

Deno.test("bwrapHint() says what helps against the failures that people meet", () => {
  for (const [said, helps] of SAID) match(bwrapHint(said), helps, said);
  equal(bwrapHint("it did not answer in time"), "");
});
