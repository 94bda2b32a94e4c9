/** The `.env` files of a workspace: what they hold is for the person's programs, not for the model. */
import { join } from "@/lib/path.ts";
import { hashHex } from "@/lib/hash.ts";
import { realPath, statOf } from "@/sandbox/look.ts";

/** Folders looked into below one root, and files kept; beyond that it is said that not all was looked at. */
const FOLDERS_MAX = 20_000;
const FILES_MAX = 500;

/** A larger one is masked whatever is said of it. */
const CONTENT_BYTES_MAX = 1024 * 1024;

/** How many folders are read before others get their turn. */
const FOLDERS_AT_ONCE = 100;

/** Made by tools, large, and not where anybody keeps a `.env` of their own. */
const SKIPPED: ReadonlySet<string> = new Set([
  ...["node_modules", ".git", ".hg", ".svn", "__pycache__", ".venv", ".tox", ".mypy_cache"],
  ...[".pnpm-store", ".yarn", ".gradle", ".terraform"],
]);

/** Examples have no secrets, are committed, and are meant to be read. */
const EXAMPLE = /\.(example|sample|template|dist|defaults|schema)$/i;

/** Whether a file of this name is masked. */
export function isEnvFile(name: string): boolean {
  return /^\.env/i.test(name) && !EXAMPLE.test(name);
}

/** What a search came to. `repositories`: folders that git would take for one. `isWhole` is false when it stopped at a bound. */
export type EnvSearch = {
  files: readonly string[];
  repositories: readonly string[];
  isWhole: boolean;
};

/** Every `.env` file below a root, by path. Links are not followed into folders. Others get their turn in between. */
export async function findEnvFiles(root: string): Promise<EnvSearch> {
  const search = searchFolders(root);
  for (;;) {
    const step = search.next();
    if (step.done) return step.value;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/** The same without giving way. */
export function findEnvFilesSync(root: string): EnvSearch {
  const search = searchFolders(root);
  for (;;) {
    const step = search.next();
    if (step.done) return step.value;
  }
}

function* searchFolders(root: string): Generator<undefined, EnvSearch> {
  const files: string[] = [];
  const repositories: string[] = [];
  const folders = [root];
  for (let read = 1; folders.length > 0; read += 1) {
    if (read > FOLDERS_MAX || files.length >= FILES_MAX) {
      return { files, repositories, isWhole: false };
    }
    const folder = folders.pop() ?? root;
    const entries = entriesOf(folder);
    if (isRepository(entries)) repositories.push(folder);
    for (const { name, isDirectory } of entries) {
      if (isDirectory && !SKIPPED.has(name)) folders.push(join(folder, name));
      else if (!isDirectory && isEnvFile(name)) files.push(join(folder, name));
    }
    if (read % FOLDERS_AT_ONCE === 0) yield;
  }
  return { files, repositories, isWhole: true };
}

/** With a `.git`, or laid out as one. */
function isRepository(entries: readonly Deno.DirEntry[]): boolean {
  const has = (name: string) => entries.some((entry) => entry.name === name);
  return has(".git") || has("HEAD") && has("objects") && has("refs");
}

/** Those directly in a folder. */
export function envFilesIn(folder: string): string[] {
  return entriesOf(folder).filter(({ name, isDirectory }) => !isDirectory && isEnvFile(name))
    .map(({ name }) => join(folder, name));
}

function entriesOf(folder: string): Deno.DirEntry[] {
  return statOf(() => [...Deno.readDirSync(folder)]) ?? [];
}

/** A file as it was when it was looked at; another one at the same path is another file. */
export type EnvFile = { path: string; identity: string; content?: Uint8Array };

/** Read one; undefined when it is no regular file. The path of what a link leads to stands for the link. */
export function readEnvFile(path: string): EnvFile | undefined {
  const real = realPath(path);
  const identity = real === undefined ? undefined : identityOf(real);
  if (real === undefined || identity === undefined) return undefined;
  const size = statOf(() => Deno.statSync(real))?.size ?? Infinity;
  // Unreadable for us is unreadable for commands; it is masked like any other.
  const content = size > CONTENT_BYTES_MAX ? undefined : statOf(() => Deno.readFileSync(real));
  return { path: real, identity, ...(content === undefined ? {} : { content }) };
}

/** Which file this is, and whether it was written since; undefined when it is no regular file. */
export function identityOf(path: string): string | undefined {
  const info = statOf(() => Deno.lstatSync(path));
  if (info?.isFile !== true) return undefined;
  return `${info.dev}:${info.ino}:${info.size}:${info.mtime?.getTime() ?? 0}`;
}

/** The name that git gives this content, by the hash of a repository with names of that length. */
export function blobName(content: Uint8Array, hexDigits: number): string {
  return hashHex(hexDigits === 64 ? "sha256" : "sha1", `blob ${content.length}\0`, content);
}

/** `git ls-files -s -z`: path → blob name. What cannot be read is left out. */
export function parseStaged(output: string): Map<string, string> {
  const staged = new Map<string, string>();
  for (const row of output.split("\0")) {
    const [, blob, path] = /^[0-7]{6} ([0-9a-f]{40,64}) 0\t([^]+)$/.exec(row) ?? [];
    if (blob !== undefined && path !== undefined) staged.set(path, blob);
  }
  return staged;
}
