import { deepStrictEqual as equal } from "node:assert/strict";
import type { FeatureParts } from "@/compose/feature.ts";
import { FeatureWorks } from "@/compose/feature_work.ts";
import { featuresOf } from "@/features/mod.ts";
import { DEFAULT_SETTINGS } from "@/settings/settings.ts";
import { allTools, type McpToolParts, mcpTools, type ToolParts } from "@/tools/mod.ts";
import { shared } from "../support/features.ts";

// What a feature works with is used when something happens; here they are only made.
const PARTS = {
  run: {},
  settings: { current: DEFAULT_SETTINGS },
  conversation: { past: [], records: [] },
  place: { workspace: "/", paths: { home: "/nowhere", mcp: "/nowhere/mcp.json" }, env: {} },
  programs: {},
  processes: {},
} as unknown as FeatureParts;

Deno.test("a conversation has all tools, in the order of the list", async () => {
  const works = await FeatureWorks.of(featuresOf(PARTS), shared());
  // Those about MCP servers come with the first server.
  const ofServers = mcpTools({} as McpToolParts).map(({ name }) => name);
  equal(
    works.tools().map(({ name }) => name),
    allTools({} as ToolParts).map(({ name }) => name).filter((name) => !ofServers.includes(name)),
  );
});

Deno.test("every feature has a name of its own", () => {
  const names = featuresOf(PARTS).map(({ name }) => name);
  equal([...new Set(names)], names);
});
