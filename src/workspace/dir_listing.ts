/** What is in a directory, in bounded space: directories first, by name, with sizes and where links lead. */
import { counted } from "@/lib/counted.ts";
import { spokenSize } from "@/lib/size.ts";
import { join } from "@/lib/path.ts";
import { visibleName } from "@/lib/visible.ts";
import { assertStillReal } from "./open_real.ts";

export type DirListing = { text: string; entries: number; shown: number };

const ENTRIES_READ_MAX = 100_000;
const ROWS_MAX = 400;
const CHARS_MAX = 12_000;

type Entry = { name: string; kind: "dir" | "link" | "file" | "other" };

/** List a directory. Throws what the file system throws. */
export async function listDirectory(path: string, spelled: string): Promise<DirListing> {
  const entries: Entry[] = [];
  let isWhole = true;
  for await (const { name, isDirectory, isSymlink, isFile } of Deno.readDir(path)) {
    if (entries.length >= ENTRIES_READ_MAX) {
      isWhole = false;
      break;
    }
    const kind = isSymlink ? "link" : isDirectory ? "dir" : isFile ? "file" : "other";
    entries.push({ name, kind });
  }
  assertStillReal(path);
  if (entries.length === 0) return { text: `[${spelled} is empty]`, entries: 0, shown: 0 };
  entries.sort(inOrder);
  const rows: string[] = [];
  let chars = 0;
  for (const entry of entries.slice(0, ROWS_MAX)) {
    const text = await rowOf(path, entry);
    chars += text.length + 1;
    if (chars > CHARS_MAX) break;
    rows.push(text);
  }
  const left = entries.length - rows.length;
  if (left > 0) {
    rows.push(
      `[${left}${
        isWhole ? "" : " or more"
      } entries are not shown; search_in_file finds files by what is in them]`,
    );
  }
  return {
    text: [`${spelled} has ${counts(entries, isWhole)}:`, ...rows].join("\n"),
    entries: entries.length,
    shown: entries.length - left,
  };
}

function inOrder(a: Entry, b: Entry): number {
  const byKind = Number(a.kind !== "dir") - Number(b.kind !== "dir");
  if (byKind !== 0) return byKind;
  const [left, right] = [a.name.toLowerCase(), b.name.toLowerCase()];
  return left < right ? -1 : left > right ? 1 : a.name < b.name ? -1 : 1;
}

async function rowOf(dir: string, { name, kind }: Entry): Promise<string> {
  const shown = visibleName(name);
  switch (kind) {
    case "dir":
      return `${shown}/`;
    case "link":
      return `${shown} (link to ${visibleName(await linkTarget(join(dir, name)))})`;
    case "file":
      return `${shown} (${await sizeOf(join(dir, name))})`;
    case "other":
      return `${shown} (no file: a pipe, socket or device)`;
    default:
      return kind satisfies never;
  }
}

async function linkTarget(path: string): Promise<string> {
  try {
    return await Deno.readLink(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return `nothing: ${missing(path)}`;
    throw error;
  }
}

async function sizeOf(path: string): Promise<string> {
  try {
    return spokenSize((await Deno.lstat(path)).size);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return missing(path);
    throw error;
  }
}

/** Why an entry that was just listed is not there. */
function missing(path: string): string {
  return path.includes("\ufffd")
    ? "its name is not UTF-8, so that only a command can reach it"
    : "gone by now";
}

function counts(entries: readonly Entry[], isWhole: boolean): string {
  const count = (kind: Entry["kind"]) => entries.filter((entry) => entry.kind === kind).length;
  const parts = [
    ...some(count("dir"), "directory", "directories"),
    ...some(count("file"), "file"),
    ...some(count("link"), "link"),
    ...some(count("other"), "special entry", "special entries"),
  ];
  const hidden = entries.filter(({ name }) => name.startsWith(".")).length;
  const dots = hidden === 0 ? "" : ` (${hidden} hidden)`;
  return `${isWhole ? "" : "at least "}${parts.join(", ")}${dots}`;
}

function some(count: number, one: string, several?: string): string[] {
  return count === 0 ? [] : [counted(count, one, several)];
}
