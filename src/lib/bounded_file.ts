/** Reading a file that somebody else put there: never more than a bound, never a pipe or a device. */
import { closing } from "@/lib/closing.ts";
import { fileErrorReason } from "@/lib/file_error.ts";

/** What was there. */
export type BoundedFile =
  | { kind: "bytes"; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "absent" }
  | { kind: "refused"; cause: string };

/** Read a file of at most `bytesMax` bytes. Throws nothing that the file system answers. */
export async function readBounded(path: string, bytesMax: number): Promise<BoundedFile> {
  try {
    const info = await Deno.stat(path);
    // Opening a pipe would wait for a writer.
    if (info.isDirectory) return { kind: "refused", cause: "a directory is there" };
    if (!info.isFile) return { kind: "refused", cause: "it is not a file" };
    if (info.size > bytesMax) {
      return { kind: "refused", cause: `it is larger than ${bytesMax / 1024 / 1024} MB` };
    }
    return await closing(await Deno.open(path), (file) => readOpen(file, bytesMax));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      const isDangling = await isLink(path);
      return isDangling
        ? { kind: "refused", cause: "it is a link to nothing" }
        : { kind: "absent" };
    }
    if (!(error instanceof Error)) throw error;
    return { kind: "refused", cause: fileErrorReason(error) };
  }
}

/** Looked at again once it is open: by then the name may stand for something else. */
async function readOpen(file: Deno.FsFile, bytesMax: number): Promise<BoundedFile> {
  const { isFile, size } = await file.stat();
  if (!isFile) return { kind: "refused", cause: "it is not a file" };
  const bytes = new Uint8Array(Math.min(size, bytesMax) + 1);
  let length = 0;
  while (length < bytes.length) {
    const count = await file.read(bytes.subarray(length));
    if (count === null) return { kind: "bytes", bytes: bytes.slice(0, length) };
    length += count;
  }
  return { kind: "refused", cause: "it grows while it is read" };
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await Deno.lstat(path)).isSymlink;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
