/** `harness import`: what other harnesses were told, taken over after a look and a yes; needs no accepted terms. */
import { findPlace } from "@/compose/place.ts";
import { importPlaces, lookForImport, writeImport } from "@/lend/importing/imports.ts";
import { answer, tell } from "@/terminal/process.ts";
import { EXIT } from "@/terminal/exit_code.ts";
import { plainScreen } from "./plain_screen.ts";

/** Run it; resolves to the exit code. */
export async function importFromShell(
  { yes = false, cwd }: { yes?: boolean; cwd?: string },
): Promise<number> {
  const place = await findPlace(cwd === undefined ? {} : { cwd });
  const places = importPlaces(place);
  const found = await lookForImport(places);
  answer(found.text);
  if (found.count === 0) {
    answer("There is nothing to write");
    return EXIT.done;
  }
  if (!yes && !Deno.stdin.isTerminal()) {
    tell("Nothing was written: nobody is here to say yes to it; harness import --yes does");
    return EXIT.unapproved;
  }
  if (!yes && !await isWanted()) {
    answer("Nothing was written");
    return EXIT.done;
  }
  const { isDone, text } = await writeImport(found, places);
  if (isDone) answer(text);
  else tell(text);
  return isDone ? EXIT.done : EXIT.failed;
}

async function isWanted(): Promise<boolean> {
  const screen = plainScreen();
  try {
    const question = { text: "Write this?", options: ["yes", "no"], freeText: false };
    const [said] = await screen.asker([question], new AbortController().signal) ?? [];
    return said === "yes";
  } finally {
    screen.close();
  }
}
