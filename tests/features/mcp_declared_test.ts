import { deepStrictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { findFiles } from "@/features/mcp/declared.ts";
import { withWorkspace } from "../support/workspace.ts";

Deno.test("servers of the profile come first, and are the person's word; a project's wait for trust", () =>
  withWorkspace(async (workspace) => {
    await Deno.writeTextFile(join(workspace, ".mcp.json"), "{}");
    const parts = {
      workspace,
      personal: join(workspace, "person", "mcp.json"),
      trust: { isTrusted: () => false },
    };
    const profile = { label: "/p/mcp.toml", text: `{"mcpServers":{}}` };
    const found = await findFiles({ ...parts, profile });
    equal(found.files.map(({ label, origin, isTrusted }) => [label, origin, isTrusted]), [
      ["/p/mcp.toml", "person", true],
      [".mcp.json", "project", false],
    ]);
    equal((await findFiles(parts)).files.length, 1);
  }));
