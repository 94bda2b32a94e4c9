import { deepStrictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { Sessions } from "@/subcommands/acp/sessions.ts";
import { withWorkspace } from "../../support/workspace.ts";

type Asking = Parameters<Sessions["begin"]>[1];

const ASKING = { client: {}, context: {} } as unknown as Asking;

Deno.test("sessions that are asked for at once count from when they are asked for, and no longer than it takes", () =>
  withWorkspace(async (dir) => {
    const sessions = new Sessions({});
    const cwd = join(dir, "nowhere");
    const refusal = async () => {
      try {
        await sessions.begin({ cwd, mcpServers: [] }, ASKING);
        return "none";
      } catch (error) {
        return error instanceof Error && error.message === "32 sessions are open" ? "full" : "cwd";
      }
    };
    const refusals = await Promise.all(Array.from({ length: 40 }, refusal));
    equal(refusals, [...Array(32).fill("cwd"), ...Array(8).fill("full")]);
    equal(await refusal(), "cwd");
  }));
