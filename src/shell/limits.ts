/** How long commands are listened to, and how many may wait. */
import type { Settings } from "@/settings/settings.ts";
import type { Patience } from "@/shell/waiting.ts";

/** Limits, from the settings. */
export type ShellLimits = Patience & {
  /** Commands that may wait for an answer at once: CMD_MAX_SESSIONS. */
  waitingMax: number;
  /** Age at which a command that waits for an answer is ended, in seconds: CMD_SESSION_LIFETIME. */
  waitingMaxS: number;
};

/** The limits that the settings give. */
export function limitsOf(settings: Settings): ShellLimits {
  return {
    idleS: settings.CMD_IDLE_TIMEOUT,
    graceS: settings.CMD_IDLE_GRACE,
    waitS: settings.CMD_WAIT_TIMEOUT,
    deadlineS: settings.CMD_TIMEOUT,
    waitingMax: settings.CMD_MAX_SESSIONS,
    waitingMaxS: settings.CMD_SESSION_LIFETIME,
  };
}
