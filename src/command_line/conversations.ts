/** The commands that hold a conversation, and those about how one is set up: start, demo, connect, set, policy, import, doctor. */
import { buildCommand, buildRouteMap } from "@stricli/core";
import { type Context, given, manyWords, oneWord, settle, slash } from "./command.ts";
import {
  CWD,
  flag,
  type OptionsOf,
  PERMISSION_FLAGS,
  PLAIN,
  RUN_FLAGS,
  SET,
  text,
} from "./flags.ts";
import { enter } from "@/entry/enter.ts";
import type { RunOptions } from "@/compose/options.ts";
import type { DemoName } from "@/subcommands/demo/acts.ts";

const CHECK_FLAGS = { ...PERMISSION_FLAGS, cwd: CWD, set: SET } as const;
const DEMO_FLAGS = {
  ...PERMISSION_FLAGS,
  continue: flag("Reopen the newest session of this demo"),
  resume: text("Reopen a session of this demo by id, uid or title", "ID|TITLE"),
  set: SET,
  plain: PLAIN,
} as const;

export const start = buildCommand<RunOptions, [], Context>({
  docs: {
    brief: "Talk to the model in this directory (the default)",
    fullDescription:
      'In a terminal: a conversation. Without one, or with -p: one turn.\n  harness\n  harness -p "What does main.ts do?" --output json\n  harness -c',
  },
  parameters: { flags: RUN_FLAGS, aliases: { p: "print", m: "model", c: "continue", r: "resume" } },
  func(flags) {
    return settle(this, () => enter(given(flags)));
  },
});

function demoName(word: string): DemoName {
  if (word === "repair" || word === "policy") return word;
  throw new Error("the demos are repair and policy");
}

export const demo = buildCommand<OptionsOf<typeof DEMO_FLAGS>, [DemoName?], Context>({
  docs: {
    brief:
      "Watch a scripted model mend a small program in a scratch folder; policy: what a supervisor may do",
  },
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [{
        brief: "repair, which needs no name, or policy",
        parse: demoName,
        optional: true,
        placeholder: "NAME",
      }],
    },
    flags: DEMO_FLAGS,
    aliases: { c: "continue", r: "resume" },
  },
  func(flags, name = "repair") {
    return settle(this, async () => {
      const { demo } = await import("@/subcommands/demo.ts");
      return await demo(name, given(flags));
    });
  },
});

export const connect = buildCommand<{ baseUrl?: string; offline?: boolean }, string[], Context>({
  docs: { brief: "Choose a provider and model; status; forget PROVIDER. A key may be piped in" },
  parameters: {
    positional: manyWords("PROVIDER MODEL, status, or forget PROVIDER", "WORD"),
    flags: { baseUrl: RUN_FLAGS.baseUrl, offline: RUN_FLAGS.offline },
  },
  func(flags, ...words) {
    return settle(this, async () => {
      const { connectFromShell } = await import("@/subcommands/connect.ts");
      return await connectFromShell(words, given(flags));
    });
  },
});

export const set = buildCommand<Record<never, never>, [string?, string?], Context>({
  docs: { brief: "List the settings, or change one for good" },
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [
        { brief: "Name of the setting", parse: String, optional: true, placeholder: "NAME" },
        { brief: "Its value, or default", parse: String, optional: true, placeholder: "VALUE" },
      ],
    },
  },
  func(_flags, name = "", value = "") {
    return settle(this, () => slash(`/set ${name} ${value}`.trim()));
  },
});

const policyCheck = buildCommand<OptionsOf<typeof CHECK_FLAGS>, [string], Context>({
  docs: { brief: 'Say what would happen with a call such as "run_cmd(git push)", and why' },
  parameters: {
    positional: oneWord("The call", "TOOL(ARG)"),
    flags: CHECK_FLAGS,
  },
  func(flags, call) {
    return settle(this, () => slash(`/perms check ${call}`, given(flags)));
  },
});

export const policy = buildRouteMap({
  routes: { check: policyCheck },
  docs: { brief: "Permission rules" },
});

export const importing = buildCommand<{ yes?: boolean; cwd?: string }, [], Context>({
  docs: {
    brief:
      "Take over rules, MCP servers, hooks and instructions of other harnesses, after a look at what it would write",
  },
  parameters: {
    flags: {
      yes: { kind: "boolean", optional: true, withNegated: false, brief: "Write it unasked" },
      cwd: CWD,
    },
  },
  func(flags) {
    return settle(this, async () => {
      const { importFromShell } = await import("@/subcommands/import.ts");
      return await importFromShell(given(flags));
    });
  },
});

export const doctor = buildCommand<{ cwd?: string }, [], Context>({
  docs: {
    brief: "Say what is enforced by what on this machine now, and what is there to work with",
  },
  parameters: { flags: { cwd: text("Look from this directory", "DIR") } },
  func(flags) {
    return settle(this, async () => {
      const { doctor } = await import("@/subcommands/doctor.ts");
      return await doctor(flags);
    });
  },
});
