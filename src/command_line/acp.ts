/** `harness acp`: what an editor starts. */
import { buildCommand } from "@stricli/core";
import { type Context, given, settle } from "./command.ts";
import { type OptionsOf, PERMISSION_FLAGS, RUN_FLAGS, SET } from "./flags.ts";

/** What holds for every session; where one takes place is said by the editor. */
const ACP_FLAGS = {
  model: RUN_FLAGS.model,
  baseUrl: RUN_FLAGS.baseUrl,
  ...PERMISSION_FLAGS,
  set: SET,
  budget: RUN_FLAGS.budget,
  offline: RUN_FLAGS.offline,
} as const;

export const acp = buildCommand<OptionsOf<typeof ACP_FLAGS>, ["connect"?], Context>({
  docs: {
    brief: "Let an editor drive it over standard input and output (Agent Client Protocol)",
    fullDescription:
      'An editor starts it, for example Zed by "agent_servers": {"harness": {"command": "harness", "args": ["acp"]}}.\n  harness acp connect   in a terminal: accept the terms, choose a model',
  },
  parameters: {
    flags: ACP_FLAGS,
    aliases: { m: "model" },
    positional: {
      kind: "tuple",
      parameters: [{
        brief: "Set up what a session needs, in a terminal",
        parse: readWord,
        placeholder: "connect",
        optional: true,
      }],
    },
  },
  func(flags, word) {
    return settle(this, async () => {
      if (word === "connect") {
        const { setUp } = await import("@/subcommands/acp/set_up.ts");
        return await setUp();
      }
      const { acp } = await import("@/subcommands/acp.ts");
      return await acp(given(flags));
    });
  },
});

function readWord(word: string): "connect" {
  if (word === "connect") return word;
  throw new Error(
    `harness acp takes no "${word}"; harness acp connect sets up what a session needs`,
  );
}
