/** A file as it is found, and the sentence that says why it is not one to read or edit. */
import { spokenSize } from "@/lib/size.ts";
import { basename, dirname } from "@/lib/path.ts";
import { fileErrorReason, isNotThere } from "@/lib/file_error.ts";
import { binaryKind } from "@/lib/file_kind.ts";
import { nearest } from "@/lib/nearest.ts";
import { readReal } from "./open_real.ts";
import { parseText, type TextFile } from "./text_file.ts";

/** A path as decided about, and as the model spelled it. */
export type Target = { path: string; spelled: string };

export type Loaded =
  | { kind: "text"; file: TextFile; mode: number }
  | { kind: "binary"; what: string; size: number; bytes: Uint8Array; mode: number }
  | { kind: "large"; size: number }
  | { kind: "absent" }
  | { kind: "dir" }
  | { kind: "special" }
  | { kind: "unreadable"; reason: string };

/** Larger files are not edited: their lines would take several times their size of memory. */
export const LOAD_BYTES_MAX = 64 * 1024 * 1024;

/** Read a file whole. Does not throw for what can be wrong with a file. */
export async function load(path: string, bytesMax = LOAD_BYTES_MAX): Promise<Loaded> {
  try {
    const { isDirectory, isFile, size, mode } = Deno.statSync(path);
    if (isDirectory) return { kind: "dir" };
    if (!isFile) return { kind: "special" };
    if (size > bytesMax) return { kind: "large", size };
    const bytes = await readReal(path);
    const bits = (mode ?? 0o644) & 0o7777;
    const what = binaryKind(bytes);
    if (what !== undefined) return { kind: "binary", what, size: bytes.length, bytes, mode: bits };
    return { kind: "text", file: parseText(bytes), mode: bits };
  } catch (error) {
    if (isNotThere(error)) return { kind: "absent" };
    return { kind: "unreadable", reason: fileErrorReason(error) };
  }
}

/** Why something else than a text file cannot be read or edited. `doing` is "read", "edit" … */
export async function whyNot(
  doing: string,
  { path, spelled }: Target,
  loaded: Exclude<Loaded, { kind: "text" }>,
): Promise<string> {
  const cannot = `Cannot ${doing} "${spelled}"`;
  switch (loaded.kind) {
    case "absent":
      return `${cannot}: no such ${doing === "list" ? "directory" : "file"}${await whatIsThere(
        path,
      )}`;
    case "dir":
      return `${cannot}: it is a directory; list_dir shows what is in it`;
    case "special":
      return `${cannot}: it is a named pipe, a socket or a device, not a file`;
    case "binary":
      return `${cannot}: it is a binary file (${loaded.what}, ${
        spokenSize(loaded.size)
      }), and not text${doing === "read" && isShown(loaded.what) ? "; view_image shows it" : ""}`;
    case "large":
      return `${cannot}: it has ${spokenSize(loaded.size)}, and files over ${
        spokenSize(LOAD_BYTES_MAX)
      } ` +
        `are not taken apart into lines; a program can change it as a stream (run_cmd)`;
    case "unreadable":
      return `${cannot}: ${loaded.reason}`;
    default:
      return loaded satisfies never;
  }
}

/** Whether that kind of file is an image which a model may see. */
function isShown(what: string): boolean {
  return /^(?:PNG|JPEG|GIF|WebP) image$/.test(what);
}

/** What is there instead of a missing entry, as the end of a sentence: a name that nearly fits, or no directory at all. */
async function whatIsThere(path: string): Promise<string> {
  const names: string[] = [];
  try {
    for await (const { name } of Deno.readDir(dirname(path))) {
      names.push(name);
      if (names.length >= 10_000) break;
    }
  } catch (error) {
    if (isNotThere(error)) {
      return ", and the directory it would be in does not exist either";
    }
    return ` (what is beside it cannot be listed: ${fileErrorReason(error)})`;
  }
  const near = nearest(basename(path), names);
  return near === undefined
    ? "; list_dir shows what is beside it"
    : `; "${near}" is in the same directory`;
}

/** Whether the person took away everybody's right to write a file. */
export function isWriteProtected(mode: number): boolean {
  return (mode & 0o222) === 0;
}

/** The sentence for a file that nobody may write. */
export function writeProtected(doing: string, { spelled }: Target, mode: number): string {
  return `Cannot ${doing} "${spelled}": it is write-protected (mode ${
    mode.toString(8).padStart(4, "0")
  }), ` +
    `and was left alone. Whoever protected it can make it writable (chmod u+w)`;
}

/** Why nothing can be created at a path: its directory is not there. Undefined when it is. */
export async function missingParent(
  doing: string,
  { path, spelled }: Target,
): Promise<string | undefined> {
  try {
    await Deno.stat(dirname(path));
    return undefined;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return `Cannot ${doing} "${spelled}": the directory "${dirname(spelled)}" does not exist. ` +
      `Nothing was written; make it with create_dir, or check the path`;
  }
}
