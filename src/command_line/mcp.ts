/** `harness mcp …`: the slash commands of the same name, without a conversation. */
import { buildCommand, buildRouteMap } from "@stricli/core";
import { PersonError } from "@/protocol/error.ts";
import { type Context, given, manyWords, settle, slash } from "./command.ts";
import { CWD, type OptionsOf, PERMISSION_FLAGS, RUN_FLAGS, SET } from "./flags.ts";

/** Options by which a run of `harness mcp` finds servers and rights. */
const MCP_FLAGS = {
  trust: PERMISSION_FLAGS.trust,
  profile: PERMISSION_FLAGS.profile,
  offline: RUN_FLAGS.offline,
  cwd: CWD,
  set: SET,
} as const;

const PROFILE = {
  kind: "tuple",
  parameters: [{
    brief: "A profile, whose servers come before all others",
    parse: String,
    optional: true,
    placeholder: "PROFILE",
  }],
} as const;

function mcpCommand(line: string, brief: string) {
  return buildCommand<OptionsOf<typeof MCP_FLAGS>, [profile?: string], Context>({
    docs: { brief },
    parameters: { flags: MCP_FLAGS, positional: PROFILE },
    func(flags, profile) {
      return settle(this, async () => {
        if (profile !== undefined && flags.profile !== undefined) throw twoProfiles(profile);
        return await slash(line, given(profile === undefined ? flags : { ...flags, profile }));
      });
    },
  });
}

function twoProfiles(profile: string): PersonError {
  const message = `The profile was named twice, as "${profile}" and with --profile`;
  return new PersonError("usage", message, "Name it once");
}

function mcpWords(line: string, brief: string, placeholder: string) {
  return buildCommand<Record<never, never>, string[], Context>({
    docs: { brief },
    parameters: { positional: manyWords(placeholder, placeholder) },
    func(_flags, ...words) {
      return settle(this, () => slash([line, ...words.map(quoted)].join(" ")));
    },
  });
}

/** A word as the slash command reads it whole. */
function quoted(word: string): string {
  return /^[^\s"']+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}

export const mcp = buildRouteMap({
  routes: {
    list: mcpCommand(
      "/mcp list",
      "Connect the MCP servers and say how each stands; 1 when one is broken",
    ),
    ls: mcpCommand("/mcp ls", "Connect the MCP servers and list their tools"),
    add: mcpWords(
      "/mcp add",
      "Declare a server in your own mcp.json",
      "NAME COMMAND|URL",
    ),
    remove: mcpWords("/mcp remove", "Take one out of your own mcp.json", "NAME"),
  },
  docs: { brief: "MCP servers" },
});
