/** What `.editorconfig` says of a file that is about to be created: line ending and character set. */
import { isNotThere } from "@/lib/file_error.ts";
import { dirname, join, relative, sep } from "@/lib/path.ts";
import { configGlob, matchesPath } from "@/lib/path_glob.ts";

export type NewFileStyle = {
  endOfLine?: "\n" | "\r\n" | "\r";
  charset?: "utf-8" | "utf-8-bom" | "latin1" | "utf-16le" | "utf-16be";
};

const FILE_BYTES_MAX = 64 * 1024;
const LEVELS_MAX = 50;
const GLOB_CHARS_MAX = 300;
const ENDINGS: Readonly<Record<string, "\n" | "\r\n" | "\r">> = {
  lf: "\n",
  crlf: "\r\n",
  cr: "\r",
};
const CHARSETS = ["utf-8", "utf-8-bom", "latin1", "utf-16le", "utf-16be"] as const;

/** The style for a file, from the configurations between `top` and it. A configuration that cannot be read says nothing. */
export async function newFileStyle(path: string, top: string): Promise<NewFileStyle> {
  const configs: { dir: string; text: string }[] = [];
  let dir = dirname(path);
  for (let level = 0; level < LEVELS_MAX; level += 1) {
    const text = await configIn(dir);
    if (text !== undefined) configs.unshift({ dir, text });
    const isRoot = text !== undefined &&
      /^[ \t]*root\s*=\s*true\s*$/im.test(text.split(/^[ \t]*\[/m)[0] ?? "");
    if (isRoot || dir === top || dir === dirname(dir)) break;
    dir = dirname(dir);
  }
  const properties = new Map<string, string>();
  for (const { dir: from, text } of configs) {
    const name = relative(from, path).split(sep).join("/");
    for (const [key, value] of propertiesFor(name, text)) properties.set(key, value);
  }
  const endOfLine = ENDINGS[properties.get("end_of_line") ?? ""];
  const charset = CHARSETS.find((each) => each === properties.get("charset"));
  return {
    ...(endOfLine === undefined ? {} : { endOfLine }),
    ...(charset === undefined ? {} : { charset }),
  };
}

async function configIn(dir: string): Promise<string | undefined> {
  const path = join(dir, ".editorconfig");
  try {
    const { isFile, size } = await Deno.stat(path);
    return isFile && size <= FILE_BYTES_MAX ? await Deno.readTextFile(path) : undefined;
  } catch (error) {
    if (isNotThere(error) || error instanceof Deno.errors.PermissionDenied) return undefined;
    throw error;
  }
}

/** The properties of the sections that match a name, in order. */
export function propertiesFor(name: string, config: string): [string, string][] {
  const found: [string, string][] = [];
  let isMatch = false;
  for (const line of config.replace(/^\ufeff/, "").split(/\r?\n/)) {
    const section = /^\s*\[(.*)\]\s*$/.exec(line)?.[1];
    if (section !== undefined) isMatch = globMatches(section, name);
    const [, key, value] = /^\s*([^#;=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (isMatch && section === undefined && key !== undefined && value !== undefined) {
      found.push([key.toLowerCase(), value.toLowerCase()]);
    }
  }
  return found;
}

/** The glob of a section head; one that cannot be read matches nothing. */
function globMatches(glob: string, name: string): boolean {
  if (glob.length > GLOB_CHARS_MAX) return false;
  const anchored = glob.includes("/") ? glob.replace(/^\//, "") : `**/${glob}`;
  return withoutBraces(anchored).some((one) => {
    const compiled = configGlob(one);
    return compiled !== undefined && matchesPath(compiled, name);
  });
}

/** More choices than this are not what somebody has written by hand. */
const CHOICES_MAX = 50;

/** A text for each choice of what stands in braces; none for too many. */
function withoutBraces(glob: string): readonly string[] {
  let found: readonly string[] = [glob];
  for (;;) {
    // The innermost ones first.
    const next = found.flatMap((one) => {
      const [braces, inner = ""] = /\{([^{}]*)\}/.exec(one) ?? [];
      if (braces === undefined) return [one];
      const at = one.indexOf(braces);
      const [before, after] = [one.slice(0, at), one.slice(at + braces.length)];
      return inner.split(",").map((choice) => before + choice + after);
    });
    if (next.length > CHOICES_MAX) return [];
    if (next.every((one, index) => one === found[index])) return next;
    found = next;
  }
}
