/** Options that were given without a value. Looked at before a screen is opened, so that it loads nothing else. */
import { PersonError } from "@/protocol/error.ts";
import type { RunOptions } from "./options.ts";

/** Refuse values that say nothing: `--cwd "$UNSET"` would mean the directory where the person stands. */
export function checkFilled(run: RunOptions): void {
  const given = {
    "--model": run.model,
    "--base-url": run.baseUrl,
    "--resume": run.resume,
    "--cwd": run.cwd,
    "--profile": run.profile,
    "--output-schema": run.outputSchema,
    "--add-dir": run.addDir?.find((dir) => dir.trim() === ""),
  };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value.trim() !== "") continue;
    throw new PersonError(
      "usage",
      `${name} was given without a value`,
      "Write it after the option",
    );
  }
}
