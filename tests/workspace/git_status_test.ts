import { deepStrictEqual as equal } from "node:assert/strict";
import { parseStatus, statusText } from "@/workspace/git_status.ts";

const id = "1".repeat(40);
const record = (...records: string[]) => records.map((text) => `${text}\0`).join("");

Deno.test("parseStatus() reads every kind of record", () => {
  const text = record(
    `# branch.oid ${id}`,
    "# branch.head topic/a b",
    "# branch.upstream origin/topic",
    "# branch.ab +2 -1",
    `1 .M N... 100644 100644 100644 ${id} ${id} with space.txt`,
    `1 A. N... 000000 100644 100644 ${id} ${id} new.ts`,
    `1 MD N... 100644 100644 000000 ${id} ${id} both.ts`,
    `2 R. N... 100644 100644 100644 ${id} ${id} R100 새 이름.txt`,
    "old name.txt",
    `u UU N... 100644 100644 100644 100644 ${id} ${id} ${id} clash.ts`,
    "? notes/",
  );
  equal(parseStatus(text), {
    head: id,
    branch: "topic/a b",
    upstream: { name: "origin/topic", ahead: 2, behind: 1 },
    staged: [
      { path: "new.ts", how: "new file" },
      { path: "both.ts", how: "modified" },
      { path: "새 이름.txt", how: "renamed", from: "old name.txt" },
    ],
    unstaged: [
      { path: "with space.txt", how: "modified" },
      { path: "both.ts", how: "deleted" },
    ],
    unmerged: [{ path: "clash.ts", how: "changed by both" }],
    untracked: ["notes/"],
    isComplete: true,
  });
});

Deno.test("parseStatus() knows an unborn branch and a detached HEAD", () => {
  const nothing = { staged: [], unstaged: [], unmerged: [], untracked: [], isComplete: true };
  equal(parseStatus(record("# branch.oid (initial)", "# branch.head main")), {
    ...nothing,
    branch: "main",
  });
  equal(parseStatus(record(`# branch.oid ${id}`, "# branch.head (detached)")), {
    ...nothing,
    head: id,
  });
});

Deno.test("statusText() lists so many and counts the rest", () => {
  const untracked = Array.from({ length: 60 }, (_, n) => `f${n}`);
  const text = statusText({
    ...{ branch: "main", head: id, staged: [], unstaged: [], unmerged: [] },
    ...{ untracked, isComplete: false, operation: "rebase" },
  });
  const lines = text.split("\n");
  equal(lines.slice(0, 3), ["On branch main; a rebase is in progress", "Untracked (60):", "  f0"]);
  equal(lines.slice(-2), [
    "  … and 10 more",
    "There was more than could be read: the counts are too low",
  ]);
});

Deno.test("statusText() names only what lies in the workspace", () => {
  const status = parseStatus(record(
    `# branch.oid ${id}`,
    "# branch.head main",
    `1 .M N... 100644 100644 100644 ${id} ${id} app/a.ts`,
    `1 .M N... 100644 100644 100644 ${id} ${id} apple/b.ts`,
    "? secret.txt",
  ));
  equal(
    statusText(status, "app"),
    "On branch main\nNot staged (1):\n  modified: a.ts\n" +
      "2 more changed or untracked outside the workspace, in the same repository",
  );
});
