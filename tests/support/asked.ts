/** A question before a call that stands on a screen in memory. */
import type { Approval, GuardedCall, Reach } from "@/protocol/policy.ts";
import { type TestScreen, testScreen, type TestScreenOptions } from "./full_screen.ts";
import { pathCall } from "./guarded_call.ts";

/** How far an "always" could reach. */
export const REACHES: readonly Reach[] = [
  {
    kind: "literal",
    preview: "exactly this: deno task test",
    rule: { tool: "run_cmd", literal: "deno task test" },
  },
  {
    kind: "prefix",
    preview: 'every command "deno task …" with any plain arguments',
    rule: "run_cmd(deno task)",
  },
];

const DIFF = `--- src/rank.ts
+++ src/rank.ts
@@ -37,3 +37,3 @@
 // the score
-const score = (bm25(q, p) + titleBoost) / norm(p.length);
+const score = bm25(q, p) / norm(p.length) + titleBoost;
 return score;`;

/** A call that changes a file, and has nothing to be edited. */
export const change: GuardedCall = {
  ...pathCall("edit_file", ["/ws/src/rank.ts"]),
  preview: () => Promise.resolve(DIFF),
};

export type Asked = TestScreen & { answer: Promise<Approval>; abort: AbortController };

/** Put a question and wait until it stands. */
export async function asked(
  call: GuardedCall,
  options: TestScreenOptions & { reaches?: readonly Reach[]; reason?: string } = {},
): Promise<Asked> {
  const { reaches = REACHES, reason = "no rule allows it", ...size } = options;
  const test = testScreen(size);
  const abort = new AbortController();
  const answer = test.screen.approver(call, reason, reaches, abort.signal);
  answer.catch(() => undefined);
  await test.terminal.until(/◆/);
  return Object.assign(test, { answer, abort });
}
