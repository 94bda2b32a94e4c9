/** The moments at which a person's programs are run, by the names that such programs are written for. */

export const HOOK_EVENTS = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "UserPromptSubmit",
  "SessionStart",
  "SessionEnd",
  "Stop",
] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Those of the programs that share the file which have no place here. */
export const FOREIGN_EVENTS: readonly string[] = [
  "PermissionRequest",
  "Notification",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
  "Interrupt",
];

/** What every program is told. */
export type CommonInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  permission_mode: "default" | "plan" | "bypassPermissions";
};

/** What a program is told on its standard input, besides. */
export type HookInput =
  | {
    hook_event_name: "PreToolUse";
    tool_name: string;
    harness_tool: string;
    tool_input: unknown;
    tool_use_id: string;
  }
  | {
    hook_event_name: "PostToolUse" | "PostToolUseFailure";
    tool_name: string;
    harness_tool: string;
    tool_input: unknown;
    tool_use_id: string;
    tool_response: unknown;
  }
  | { hook_event_name: "UserPromptSubmit"; prompt: string }
  | { hook_event_name: "SessionStart"; source: "startup" | "resume" }
  | { hook_event_name: "SessionEnd"; reason: "other" }
  | { hook_event_name: "Stop"; stop_hook_active: boolean; last_assistant_message: string };

/** What matchers of an event are about; none for those that are about nothing in particular. */
export function subjectsOf(input: HookInput): readonly string[] {
  switch (input.hook_event_name) {
    case "PreToolUse":
    case "PostToolUse":
    case "PostToolUseFailure":
      return [input.harness_tool, input.tool_name];
    case "SessionStart":
      return [input.source];
    case "SessionEnd":
      return [input.reason];
    case "UserPromptSubmit":
    case "Stop":
      return [];
    default:
      return input satisfies never;
  }
}
