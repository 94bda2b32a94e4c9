/** The tour: list, search, read, write, edit by anchor, report; six calls on the files that are really there. */
import type { Line, Scene } from "@/provider/demo/scripted.ts";
import { namesIn } from "./folder.ts";

const NOTE = "harness-tour.md";
const OPEN_ROW = "- [ ] edited by anchor";
const STEPS = [look, search, read, write, readBack, edit] as const;

/** One line of the tour: the next step, or the report when all are done or one did not go through. */
export function tour(scene: Scene): Line {
  const step = STEPS[scene.done.length];
  const last = scene.done.at(-1);
  if (step === undefined || last?.status === "denied" || last?.status === "interrupted") {
    return report(scene);
  }
  return step(scene);
}

function look(): Line {
  return {
    say: "I am the built-in demo: a scripted model, so what I say is written beforehand, " +
      "but every tool I call is real. First I look around.\n",
    call: { name: "list_dir", input: { dirpath: "." } },
  };
}

function search({ prompt }: Scene): Line {
  const asked = /[A-Za-z_]{5,}/.exec(prompt)?.[0];
  const word = asked ?? "TODO";
  const which = asked === undefined ? `"${word}"` : `a word of your request ("${word}")`;
  return {
    say: `Next, a search for ${which}.\n`,
    call: { name: "search_in_file", input: { query: word } },
  };
}

function read({ done }: Scene): Line {
  const names = namesIn(done[0]?.text ?? "");
  const file = names.find((name) => /^readme/i.test(name)) ??
    names.find((name) => /\.(md|txt|ts|js|py|go|rs|json|toml)$/i.test(name));
  if (file === undefined) {
    return { say: "There is no text file at the top, so I list once more.\n", call: lookCall() };
  }
  return {
    say: `I read ${file}; each row comes with a line number and a fingerprint.\n`,
    call: { name: "read_file", input: { filepath: file, start: 1, end: 20 } },
  };
}

function lookCall(): { name: string; input: Record<string, unknown> } {
  return { name: "list_dir", input: { dirpath: "." } };
}

function write({ done }: Scene): Line {
  const names = namesIn(done[0]?.text ?? "").filter((name) => name !== NOTE);
  const content = [
    "# Tour of this folder",
    "",
    `Entries at the top: ${names.length}`,
    "",
    OPEN_ROW,
    "",
  ];
  return {
    say: `Now a change: I write ${NOTE}. You are asked first, unless a rule or a mode allows it.\n`,
    call: { name: "write_file", input: { filepath: NOTE, content: content.join("\n") } },
  };
}

function readBack(): Line {
  return {
    say: "I read it back to get its anchors.\n",
    call: { name: "read_file", input: { filepath: NOTE } },
  };
}

function edit(scene: Scene): Line {
  const listing = scene.done.at(-1)?.text ?? "";
  const anchor = /^[ \t]*(\d+:[0-9a-f]{3})\|- \[ \] edited by anchor$/m.exec(listing)?.[1];
  if (anchor === undefined) return report(scene);
  return {
    say: `One row handed back with its anchor (${anchor}) is the whole edit.\n`,
    call: {
      name: "edit_file",
      input: { filepath: NOTE, new_content: `${anchor}|- [x] edited by anchor` },
    },
  };
}

function report({ done }: Scene): Line {
  const rows = done.map(({ call, status }) => `- ${call.name}: ${status}`).join("\n");
  const isWritten = done.some(({ call, status }) => call.name === "write_file" && status === "ok");
  const undo = isWritten ? `\n/undo takes the newest change back; ${NOTE} is yours to delete.` : "";
  return { say: `That was the tour (scripted). What really happened:\n${rows}${undo}` };
}
