/** Whether something is at a path: links are not followed, and what may not be looked at is not there for us. */
import { isNotThere } from "./file_error.ts";

/** Look. Throws for what else can be wrong. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (isNotThere(error) || error instanceof Deno.errors.PermissionDenied) return false;
    throw error;
  }
}
