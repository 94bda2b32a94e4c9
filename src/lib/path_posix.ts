/** Paths with forward slashes, with the results of `node:path/posix` (held against it by tests). */

export const sep = "/";
export const delimiter = ":";

export function isAbsolute(path: string): boolean {
  return path.startsWith("/");
}

/** The last part; without `suffix`, unless that is all of it. */
export function basename(path: string, suffix = ""): string {
  if (suffix !== "" && suffix === path) return "";
  const name = /([^/]*)\/*$/.exec(path)?.[1] ?? "";
  return name !== suffix && name.endsWith(suffix)
    ? name.slice(0, name.length - suffix.length)
    : name;
}

/** What the last part stands in. */
export function dirname(path: string): string {
  const whole = path.replace(/(?<!\/)\/+$/, "");
  if (whole === "") return path === "" ? "." : "/";
  const slash = whole.lastIndexOf("/");
  if (slash === -1) return ".";
  if (slash === 0) return "/";
  return slash === 1 && isAbsolute(path) ? "//" : path.slice(0, slash);
}

/** Without "." and "..", as far as that goes without looking at the disk; a slash at the end stays. */
export function normalize(path: string): string {
  if (path === "") return ".";
  const isRooted = isAbsolute(path);
  const parts = withoutDots(path, isRooted).join("/");
  const end = path.endsWith("/") && parts !== "" ? "/" : "";
  if (isRooted) return `/${parts}${end}`;
  return parts === "" ? (path.endsWith("/") ? "./" : ".") : `${parts}${end}`;
}

export function join(...paths: readonly string[]): string {
  return normalize(paths.filter((path) => path !== "").join("/"));
}

/** Absolute: the last absolute path with what follows it, else below the working directory. */
export function resolve(...paths: readonly string[]): string {
  const last = paths.findLastIndex(isAbsolute);
  const from = last === -1 ? [Deno.cwd(), ...paths] : paths.slice(last);
  return `/${withoutDots(from.join("/"), true).join("/")}`;
}

/** How to go from one place to another; "" when they are the same. */
export function relative(from: string, to: string): string {
  const [start, goal] = [from, to].map((path) => resolve(path).split("/").filter(Boolean));
  if (start === undefined || goal === undefined) return "";
  let same = 0;
  while (same < start.length && start[same] === goal[same]) same += 1;
  return [...start.slice(same).map(() => ".."), ...goal.slice(same)].join("/");
}

/** The parts of a path. Above the root is the root; above a relative path is "..". */
function withoutDots(path: string, isRooted: boolean): string[] {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (!isRooted) parts.push("..");
  }
  return parts;
}
