import { deepStrictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { DurableEvent } from "@/protocol/event.ts";
import { encodeRecord } from "@/session/record.ts";
import { formatHits, searchSessions } from "@/session/search.ts";
import { withWorkspace } from "../support/workspace.ts";

async function make(dir: string, id: string, day: number, events: DurableEvent[]): Promise<void> {
  const at = `2026-01-0${day}T00:00:00.000Z`;
  const lines = events.map((event) => encodeRecord({ v: 1, at, event }));
  await Deno.writeTextFile(join(dir, `${id}.jsonl`), lines.join(""));
}

function said(text: string): DurableEvent {
  const content = [{ type: "text" as const, text }];
  return { type: "message", message: { role: "user", content, origin: "person" } };
}

Deno.test("searchSessions() finds words in titles, messages, calls and results, newest session first", async () => {
  await withWorkspace(async (dir) => {
    await make(dir, "a", 1, [{ type: "title", title: "The Needle" }, said("no")]);
    await make(dir, "b", 2, [said(`${"x ".repeat(200)}a NEEDLE here ${"y ".repeat(200)}`)]);
    await make(dir, "c", 3, [
      {
        type: "message",
        message: {
          role: "assistant",
          stop: "tool_calls",
          content: [{ type: "tool_call", id: "1", name: "grep", input: { pattern: "needle" } }],
        },
      },
    ]);
    await make(dir, "d", 4, [said("nothing"), { type: "notice", level: "info", text: "needle" }]);
    await Deno.symlink(join(dir, "gone"), join(dir, "e.jsonl"));
    const { hits, notices } = await searchSessions(dir, "needle");
    equal(hits.map(({ session, count }) => [session.id, count]), [["c", 1], ["b", 1], ["a", 1]]);
    equal(hits[2]?.excerpts, ["The Needle"]);
    equal(/^….*a NEEDLE here.*…$/.test(hits[1]?.excerpts[0] ?? ""), true);
    equal(formatHits(hits.slice(2)), "  a  2026-01-01 00:00  The Needle\n      The Needle");
    equal(notices, ['Cannot read session "e": no such file or directory']);
    equal((await searchSessions(dir, "")).hits, []);
  });
});

Deno.test("formatHits() draws what hides in an excerpt, and counts the places that it leaves out", async () => {
  await withWorkspace(async (dir) => {
    await make(dir, "a", 1, ["1", "2", "3", "4", "5"].map((n) => said(`needle \x1b[2J ${n}`)));
    const { hits } = await searchSessions(dir, "needle");
    const lines = formatHits(hits).split("\n");
    equal(lines.slice(1), [
      ...["1", "2", "3"].map((n) => `      needle \\x1b[2J ${n}`),
      "      and 2 more places",
    ]);
  });
});
