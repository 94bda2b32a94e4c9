/** Where a tool looks that may be told a directory or a file. */

/** Undefined for all of the workspace, which models that know other tools name as ".". */
export function placeIn(path: string | undefined): string | undefined {
  return path === undefined || /^\s*(\.?[\\/]?)\s*$/.test(path) ? undefined : path;
}
