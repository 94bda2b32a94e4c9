/** The demo's answer to the first thing that many people ask: what is in this folder. */
import type { Line, Scene } from "@/provider/demo/scripted.ts";

/** Whether the person asks what is here. */
export function asksAboutFolder(prompt: string): boolean {
  return /what(?:'s| is) in (?:this|the) (?:folder|directory|project|repository)/i.test(prompt);
}

/** List the folder, then say what the listing says. */
export function answerFolder({ done }: Scene): Line {
  const listing = done[0];
  if (listing === undefined) {
    const say = "I am the built-in demo, a scripted model. I will look.\n";
    return { say, call: { name: "list_dir", input: { dirpath: "." } } };
  }
  const names = namesIn(listing.text);
  if (names.length === 0) return { say: "This folder has nothing in it that a listing shows." };
  const shown = names.slice(0, 6).join(", ");
  const more = names.length > 6 ? ` and ${names.length - 6} more` : "";
  return {
    say:
      `This folder holds ${names.length} ${
        names.length === 1 ? "entry" : "entries"
      }: ${shown}${more}. ` +
      "(Scripted answer from the real listing; /connect brings a real model, any other request starts the tour.)",
  };
}

/** The names in a listing of list_dir. */
export function namesIn(listing: string): string[] {
  return listing.split("\n").flatMap((row) => {
    const name = /^\s*(\S.*?)(?:\s+\(.*\)|\s{2,}.*)?$/.exec(row)?.[1];
    return name === undefined || row.startsWith("[") || row.endsWith(":") ? [] : [name];
  });
}
