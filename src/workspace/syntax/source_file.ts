/** A file as source code of a language, or the sentence that says why it is none. */
import { spokenSize } from "@/lib/size.ts";
import { basename } from "@/lib/path.ts";
import type { Source } from "@/workers/syntax/answer.ts";
import { type Language, languageNamed, languageOf, LANGUAGES } from "@/workers/grammars.ts";
import { load, type Loaded, type Target, whyNot } from "../loaded.ts";

/** A tree of a larger file takes seconds, and hundreds of megabytes. */
export const SOURCE_BYTES_MAX = 1024 * 1024;

/** A file that can be taken apart; `texts` are its lines. */
export type SourceFile = { source: Source; texts: readonly string[] };

/** Read a file as source. `doing` is "outline", "query"; `said` is the language that the model named. */
export async function sourceFile(
  doing: string,
  target: Target,
  said?: string,
): Promise<SourceFile | { refused: string }> {
  const loaded = await load(target.path, SOURCE_BYTES_MAX);
  const cannot = `Cannot ${doing} "${target.spelled}"`;
  if (loaded.kind === "large") {
    const size = `it has ${spokenSize(loaded.size)}, and syntax trees are made of at most ` +
      spokenSize(SOURCE_BYTES_MAX);
    return { refused: `${cannot}: ${size}; search_in_file finds lines in it` };
  }
  if (loaded.kind !== "text") return { refused: await whyNot(doing, target, loaded) };
  const named = said === undefined ? undefined : languageNamed(said);
  if (said !== undefined && named === undefined) {
    return { refused: `${cannot} as "${said}": there are grammars for ${LANGUAGES.join(", ")}` };
  }
  const file = asSource(target.path, loaded, named);
  if (file !== undefined) return file;
  const name = basename(target.path);
  return {
    refused: `${cannot}: no grammar goes with the name "${name}" or the first line of the file. ` +
      `There are grammars for ${LANGUAGES.join(", ")}; read_file shows it as text`,
  };
}

/** A text as source; undefined when its language is not known. */
export function asSource(
  path: string,
  { file: { texts } }: Extract<Loaded, { kind: "text" }>,
  named?: Language,
): SourceFile | undefined {
  const text = texts.join("\n");
  const language = named ?? languageOf(path, text);
  return language === undefined ? undefined : { source: { language, text }, texts };
}
