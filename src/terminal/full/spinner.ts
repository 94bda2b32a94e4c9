/** The sign that something goes on. */
import { TICK_MS } from "./painter.ts";

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;

/** The spinner as it stands after so many milliseconds: another one with each tick of the screen. */
export function spinner(ms: number): string {
  return SPINNER[Math.floor(ms / TICK_MS) % SPINNER.length] ?? SPINNER[0];
}
