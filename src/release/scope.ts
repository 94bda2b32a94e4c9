/** The part of the launcher that finds where the program may write; it reads it from its folder. */
import type { TarFile } from "./tar.ts";
import script from "./scope.sh" with { type: "text" };

/** It, as the launcher looks for it. */
export const SCOPE_FILE: TarFile = {
  path: "app/scope.sh",
  bytes: new TextEncoder().encode(script),
};
