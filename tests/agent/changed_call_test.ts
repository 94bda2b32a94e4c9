import { deepStrictEqual as equal } from "node:assert/strict";
import { changedResult } from "@/agent/changed_call.ts";
import type { ToolResult } from "@/protocol/tool.ts";

const CHANGE = { by: "a hook", input: { command: "ls" } };

/** What the model reads before the result itself. */
function told(status: ToolResult["status"], isEdited: boolean): string {
  return changedResult({ status, text: "result" }, CHANGE, { isEdited }).text.split("\n")[0] ?? "";
}

Deno.test("changedResult() says what ran, and of what the person has changed again only that it was asked about", () => {
  const changed = (did: string) =>
    `a hook has changed the call; what ${did} instead: {"command":"ls"}`;
  equal(told("ok", false), changed("ran"));
  equal(told("denied", false), changed("was to run"));
  equal(told("ok", true), changed("was asked about"));
  equal(changedResult({ status: "ok", text: "result" }, undefined, { isEdited: false }), {
    status: "ok",
    text: "result",
  });
});
