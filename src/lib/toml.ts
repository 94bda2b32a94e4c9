/** TOML files that a person wrote: what is not understood is an error with file and line. */
import { clipEnd } from "@/lib/clip.ts";
import { nearest } from "@/lib/nearest.ts";
import { PersonError } from "@/protocol/error.ts";
import { parse, TomlError } from "smol-toml";

/** Read it. `label` is what the person is told, a path. Throws PersonError of kind "settings". */
export function parsedToml(text: string, label: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [what = ""] = error.message.split("\n");
    const cause = what.replace(/^Invalid TOML document: /, "");
    throw new PersonError(
      "settings",
      `${label}:${error.line}:${error.column}: it is not TOML: ${cause}`,
      "Mend that line",
      error,
    );
  }
}

/** Throws PersonError of kind "settings" that names the line, counted from 1. */
export function failAt(label: string, line: number, problem: string): never {
  throw new PersonError("settings", `${label}:${line}: ${problem}`, "Mend that line");
}

/** The sentence about a key that means nothing `where`. */
export function unknownKey(key: string, known: readonly string[], where: string): string {
  const meant = nearest(key, known);
  const shown = clipEnd(key, 40);
  return `"${shown}" means nothing in ${where}; ${
    meant === undefined ? `the keys are ${known.join(", ")}` : `"${meant}" was probably meant`
  }`;
}
