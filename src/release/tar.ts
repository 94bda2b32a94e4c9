/** Writes a tar archive (ustar), the same bytes for the same files: no owner, no time. */
import { joinBytes } from "@/lib/bytes.ts";

/** A file of an archive. `path` is relative, with forward slashes and at most 100 bytes. */
export type TarFile = { path: string; bytes: Uint8Array };

const BLOCK = 512;
const FILE = { mode: 0o400, type: "0" } as const;
const FOLDER = { mode: 0o700, type: "5" } as const;

/** The archive of these files, with the folders that they stand in. */
export function tar(files: readonly TarFile[]): Uint8Array<ArrayBuffer> {
  const blocks: Uint8Array[] = [];
  for (const path of foldersOf(files)) blocks.push(headerOf(path, 0, FOLDER));
  for (const { path, bytes } of files) {
    const padding = new Uint8Array((BLOCK - (bytes.length % BLOCK)) % BLOCK);
    blocks.push(headerOf(path, bytes.length, FILE), bytes, padding);
  }
  blocks.push(new Uint8Array(2 * BLOCK));
  return joinBytes(blocks);
}

/** Every folder of a path, outermost first: "a/", "a/b/". */
function foldersOf(files: readonly TarFile[]): string[] {
  const folders = new Set<string>();
  for (const { path } of files) {
    for (const slash of path.matchAll(/\//g)) folders.add(path.slice(0, slash.index + 1));
  }
  return [...folders].sort();
}

function headerOf(
  path: string,
  size: number,
  { mode, type }: { mode: number; type: string },
): Uint8Array {
  const name = new TextEncoder().encode(path);
  if (name.length > 100) throw new Error(`"${path}" is too long a path for a tar archive`);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  const header = new Uint8Array(BLOCK);
  const write = (text: string, at: number) => header.set(new TextEncoder().encode(text), at);
  header.set(name, 0);
  write(octal(mode, 7), 100);
  write(octal(0, 7), 108); // Owner.
  write(octal(0, 7), 116); // Group.
  write(octal(size, 11), 124);
  write(octal(0, 11), 136); // Time.
  write(" ".repeat(8), 148); // The checksum counts as blanks in itself.
  write(type, 156);
  write("ustar\x0000", 257);
  write(octal(header.reduce((sum, byte) => sum + byte, 0), 6), 148);
  return header;
}
