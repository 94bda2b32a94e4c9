/** The sandbox is tried when a command is about to run for the first time; what is decided about it waits for the outcome. */
import type { Guard } from "@/protocol/policy.ts";
import { runsCode } from "./own_processes.ts";

/** Wait until it is known whether a sandbox holds, and decide nothing. A rejection refuses the call. */
export function sandboxReady(ready: () => Promise<unknown> | undefined): Guard {
  return async function waitForSandbox(call) {
    if (runsCode(call)) await ready();
    return undefined;
  };
}
