/** The session of the terminal's mock-ups as events. */
import type { Event } from "@/protocol/event.ts";
import { called, noticed, replied, said } from "./transcript_view.ts";

const REPLY = `The score is divided by the passage length **before** the title boost is added, so \
short pages lose it. The fix is one line:

\`\`\`ts
const score = bm25(q, p) / norm(p.length) + titleBoost;
\`\`\`

| case | before | after |
|---|---:|---:|
| 제목 일치 | 0.64 | 0.71 |
| body only | 0.40 | 0.40 |
`;

const OUTPUT = [
  "rank.test.ts:41  expected 0.71, got 0.64\n",
  "rank.test.ts:58  추측: 동점 처리\n",
  ...Array.from({ length: 22 }, (_, at) => `at line ${at}\n`),
];

const DIFF = `--- src/rank.ts
+++ src/rank.ts
@@ -35,7 +35,7 @@
 export function rank(q: string, p: Passage): number {
   const titleBoost = boost(q, p.title);
   // Short pages are often the better ones.
-  const score = (bm25(q, p) + titleBoost) / norm(p.length);
+  const score = bm25(q, p) / norm(p.length) + titleBoost;
   return score;
 }
 `;

export const MOCK_SESSION: readonly Event[] = [
  ...said(
    "why does the ranking test fail? look at 웹 검색 랭킹 개선 in the notes and fix it @src/rank.ts",
  ),
  ...called({
    id: "1",
    name: "read_file",
    input: { filepath: "notes/ranking.md" },
    before: "read notes/ranking.md",
    after: "read notes/ranking.md (84 lines)",
    ms: 6,
    result: { text: "1:abc|# Ranking" },
  }),
  ...called({
    id: "2",
    name: "run_cmd",
    input: { command: "deno task test rank" },
    before: "run deno task test rank",
    after: "deno task test rank: exit code 1",
    ms: 1_900,
    output: OUTPUT,
    result: { status: "failed", text: `Command failed (exit code 1).\n${OUTPUT.join("")}` },
  }),
  ...replied(REPLY),
  noticed("harness-2 (pid 4121) is editing src/fetch.ts"),
  noticed("harness-2 says: leave norm() alone, I am renaming it"),
  ...called({
    id: "3",
    name: "edit_file",
    before: "edit src/rank.ts",
    after: "did not edit src/rank.ts",
    result: {
      status: "failed",
      text:
        "line 38 of src/rank.ts is not what 38:ff7 says. It was changed by harness-2 since it was read\n1:abc|x",
    },
  }),
  ...called({
    id: "4",
    name: "edit_file",
    before: "edit src/rank.ts",
    after: "edited src/rank.ts: line 38 replaced",
    result: { text: "File edited", meta: { diff: DIFF } },
  }),
  { type: "turn_end", turn: 1, stop: "end" },
];
