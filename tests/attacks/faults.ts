/** Damage of state files, as an attack file tells it, and planted in a state directory. */
import { dirname, join } from "node:path";

export type Fault = { path: string; what: string };

/** `name: what` of each. */
export function faultsOf(texts: readonly string[]): Fault[] {
  return texts.map((text) => {
    const at = text.indexOf(": ");
    if (at < 0) throw new Error(`A fault of state is "FILE: WHAT", not "${text}"`);
    return { path: text.slice(0, at), what: text.slice(at + 2) };
  });
}

/** Plant them. Resolves to what tells a file from what was made of it: path → identity. */
export async function plant(
  faults: readonly Fault[],
  { state, outside }: { state: string; outside: string },
): Promise<Map<string, string>> {
  const planted = new Map<string, string>();
  for (const { path: name, what } of faults) {
    const path = join(state, name);
    await Deno.mkdir(dirname(path), { recursive: true });
    await damage(path, what, outside);
    planted.set(path, await identity(path));
  }
  return planted;
}

async function damage(path: string, what: string, outside: string): Promise<void> {
  const [, megabytes, letter] = /^(\d+) MB of (.)$/.exec(what) ?? [];
  const [, depth] = /^depth (\d+)$/.exec(what) ?? [];
  if (megabytes !== undefined && letter !== undefined) {
    return await Deno.writeFile(
      path,
      new Uint8Array(Number(megabytes) * 1_000_000).fill(letter.charCodeAt(0)),
    );
  }
  if (depth !== undefined) return await Deno.writeTextFile(path, "[".repeat(Number(depth)));
  switch (what) {
    case "truncated":
      return await Deno.writeTextFile(path, '{"version": 1, "entries": [{"a');
    case "NUL bytes":
      return await Deno.writeFile(path, new Uint8Array(4_096));
    case "empty":
      return await Deno.writeTextFile(path, "");
    case "random bytes":
      return await Deno.writeFile(path, crypto.getRandomValues(new Uint8Array(4_096)));
    case "directory":
      return await Deno.mkdir(path);
    case "pipe":
      return void await new Deno.Command("mkfifo", { args: [path] }).output();
    case "unreadable":
      return await Deno.writeTextFile(path, "{}", { mode: 0o000 });
    case "planted link":
      return await Deno.symlink(join(outside, "target"), path);
    case "link to itself":
      return await Deno.symlink(path, path);
    default:
      return await Deno.writeTextFile(path, what);
  }
}

/** The same as long as nobody has written the file or put another in its place. */
export async function identity(path: string): Promise<string> {
  try {
    const { ino, size, mtime, isSymlink } = await Deno.lstat(path);
    const target = isSymlink ? await Deno.readLink(path) : "";
    return [ino, size, mtime?.getTime(), target].join(" ");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return "gone";
  }
}
