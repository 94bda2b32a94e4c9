/** What auto-verify works with, made of the parts of a conversation. */
import type { AutoVerifyParts } from "@/agent/hooks/auto_verify.ts";
import type { TestLock } from "@/agent/test_lock.ts";
import { basename } from "@/lib/path.ts";
import { seenFrom } from "@/lib/path_within.ts";
import type { FeatureParts } from "./feature.ts";

/** Equal failures in a row before a turn gives up; under /tdd it is a setting, because staying at it is the point. */
const FAILURES_MAX = 3;

/** Build it. */
export function verifyParts(
  { place, settings, processes, sandbox, live }: FeatureParts,
  { lock, roots }: { lock: TestLock; roots(): readonly string[] },
): AutoVerifyParts {
  const { workspace } = place;
  return {
    isOn: () => settings.current.AUTO_VERIFY,
    failuresMax: () => lock.state === "held" ? settings.current.TDD_VERIFY_FAILURES : FAILURES_MAX,
    outputCharsMax: () => settings.current.VERIFY_OUTPUT_CHARS,
    checksOf: async (changed) => {
      const { findChecks } = await import("@/verify/detect.ts");
      return await findChecks(changed, {
        roots: roots(),
        isInstalled: async (name) => await processes.find(name, [workspace]) !== undefined,
      });
    },
    whyNotPermitted: async (line, signal) => {
      const { dispatch } = await live.work();
      const { whyNotPermitted } = await import("@/agent/permit.ts");
      return await whyNotPermitted(line, dispatch, signal);
    },
    run: async (check, signal) => {
      const { runCheck } = await import("@/verify/run_check.ts");
      const opened = await sandbox.ready();
      return await runCheck(check, {
        ...{ processes, workspace, signal, timeoutS: settings.current.VERIFY_TIMEOUT },
        ...(opened.isProven ? { wrap: opened.wrap() } : {}),
      });
    },
    named: (root) => root === workspace ? basename(root) : seenFrom(workspace, root),
    emit: (event) => live.emit(event),
  };
}
