/** The moments at which a person's programs are run, by the names that such programs are written for. */

export const HOOK_EVENTS = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "UserPromptSubmit",
  "SessionStart",
  "SessionEnd",
  "Stop",
  "PermissionRequest",
  "Notification",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Those of the programs that share the file which have no place here. */
export const FOREIGN_EVENTS: readonly string[] = [
  "Interrupt",
  "Setup",
  "ConfigChange",
  "InstructionsLoaded",
  "TaskCompleted",
  "TeammateIdle",
  "WorktreeCreate",
  "WorktreeRemove",
  "Elicitation",
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
    hook_event_name: "PreToolUse" | "PermissionRequest";
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
  | { hook_event_name: "SessionStart"; source: SessionSource }
  | { hook_event_name: "SessionEnd"; reason: SessionEnding }
  | { hook_event_name: "Stop"; stop_hook_active: boolean; last_assistant_message: string }
  | {
    hook_event_name: "Notification";
    message: string;
    notification_type: "permission_prompt" | "elicitation_dialog" | "idle_prompt";
  }
  | { hook_event_name: "SubagentStart"; agent_id: string; agent_type: string }
  | {
    hook_event_name: "SubagentStop";
    agent_id: string;
    agent_type: string;
    agent_transcript_path: string;
    stop_hook_active: boolean;
    last_assistant_message: string;
  }
  | { hook_event_name: "PreCompact"; trigger: CompactionTrigger; custom_instructions: string }
  | { hook_event_name: "PostCompact"; trigger: CompactionTrigger; compact_summary: string };

/** What a session begins with; `compact`: with a summary of what was said before. */
export type SessionSource = "startup" | "resume" | "clear" | "compact";

/** What a session ends with; `resume`: the person went on in another that was saved. */
export type SessionEnding = "clear" | "resume" | "prompt_input_exit" | "other";

/** Who wanted the conversation shortened. */
export type CompactionTrigger = "manual" | "auto";

/** What matchers of an event are about; none for those that are about nothing in particular. */
export function subjectsOf(input: HookInput): readonly string[] {
  switch (input.hook_event_name) {
    case "PreToolUse":
    case "PermissionRequest":
    case "PostToolUse":
    case "PostToolUseFailure":
      return [input.harness_tool, input.tool_name];
    case "SessionStart":
      return [input.source];
    case "SessionEnd":
      return [input.reason];
    case "Notification":
      return [input.notification_type];
    case "SubagentStart":
    case "SubagentStop":
      return [input.agent_type];
    case "PreCompact":
    case "PostCompact":
      return [input.trigger];
    case "UserPromptSubmit":
    case "Stop":
      return [];
    default:
      return input satisfies never;
  }
}
