/** What `/import` is lent. */
import type { AppParts } from "@/compose/parts.ts";
import type { ImportPart } from "@/terminal/commands/lent/import.ts";
import { done, refused } from "@/terminal/commands/spec.ts";
import type { Import } from "./importing/imports.ts";

/** Build it. */
export function importPart({ place, policy }: Pick<AppParts, "place" | "policy">): ImportPart {
  let shown: Import | undefined;
  const work = async () => {
    const made = await import("./importing/imports.ts");
    return { ...made, places: made.importPlaces(place) };
  };
  return {
    look: async () => {
      const { lookForImport, places } = await work();
      shown = await lookForImport(places);
      const next = shown.count === 0 ? "There is nothing to write" : "/import yes writes it";
      return done(`${shown.text}\n${next}`);
    },
    write: async () => {
      const { lookForImport, writeImport, places } = await work();
      const found = shown ?? await lookForImport(places);
      shown = undefined;
      if (found.count === 0) return done("There is nothing to write");
      const { isDone, text } = await writeImport(found, places);
      await (await policy()).reload();
      return isDone ? done(`${text}\n/mcp reload connects new servers`) : refused(text);
    },
  };
}
