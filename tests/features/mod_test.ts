import { deepStrictEqual as equal } from "node:assert/strict";
import type { FeatureParts } from "@/compose/feature.ts";
import { CODER } from "@/compose/profile.ts";
import { FeatureWorks } from "@/compose/feature_work.ts";
import { featuresOf } from "@/features/mod.ts";
import { DEFAULT_SETTINGS } from "@/settings/settings.ts";
import {
  allTools,
  channelTools,
  type McpToolParts,
  mcpTools,
  skillTools,
  type ToolParts,
} from "@/tools/mod.ts";
import type { ChannelToolParts } from "@/tools/channel_parts.ts";
import type { SkillParts } from "@/tools/use_skill.ts";
import { shared } from "../support/features.ts";

// What a feature works with is used when something happens; here they are only made.
const PARTS = {
  run: {},
  settings: { current: DEFAULT_SETTINGS },
  conversation: { past: [], records: [] },
  place: { workspace: "/", paths: { home: "/nowhere", mcp: "/nowhere/mcp.json" }, env: {} },
  programs: {},
  processes: {},
  profile: CODER,
} as unknown as FeatureParts;

Deno.test("a conversation has all tools but those that come with something else, in the order of the list", async () => {
  const works = await FeatureWorks.of(featuresOf(PARTS), shared());
  // With the first MCP server, with the first other agent, and with the first skill.
  const later = [
    ...mcpTools({} as McpToolParts),
    ...channelTools({} as ChannelToolParts),
    ...skillTools({} as SkillParts),
  ].map(({ name }) => name);
  equal(
    works.tools().map(({ name }) => name),
    allTools({} as ToolParts).map(({ name }) => name).filter((name) => !later.includes(name)),
  );
});

Deno.test("every feature has a name of its own", () => {
  const names = featuresOf(PARTS).map(({ name }) => name);
  equal([...new Set(names)], names);
});
