/** `harness update`: how to get another version. It asks nobody whether there is one. */
import { answer } from "@/terminal/process.ts";
import { EXIT } from "@/terminal/exit_code.ts";
import { VERSION, WAY, type Way } from "@/version.ts";

/** Print it; resolves to the exit code. */
export function update(): number {
  answer(updateText(WAY, checkout()));
  return EXIT.done;
}

/** Lines for a copy that came that way; `dir` is where the sources are, if it is them. */
export function updateText(way: Way, dir: string): string {
  const { what, how } = WAYS[way](dir);
  return `harness ${VERSION}, ${what}
To update it${how}
Your sessions and settings stay as they are.
harness has looked nowhere for a newer version, and never does.`;
}

/** What such a copy is, and what follows "To update it". */
const WAYS: Readonly<Record<Way, (dir: string) => { what: string; how: string }>> = {
  sources: (dir) => ({
    what: `from the sources in ${dir}`,
    how: `:
  git -C ${quoted(dir)} pull --ff-only
The next start takes what it needs from the npm registry.`,
  }),
  file: () => built("a single file", "build", "dist/harness"),
  compiled: () => built("a compiled file", "compile", "dist/harness-compiled"),
  npm: () => ({
    what: "from an npm package",
    how:
      `, install the package file of a newer release in the way that you installed this one, after you have
checked its sum:
  npm install --global ./harness-VERSION-npm.tgz    (in a project without --global)
Where "deno install" made the command: the same line again, over the newer package. Or make one, in a copy of
the sources:
  git pull --ff-only
  npx -y deno@${Deno.version.deno} task npm && cd dist/npm && npm pack
The package is in no registry: one that has its name there is not ours.`,
  }),
};

function built(what: string, task: string, file: string): { what: string; how: string } {
  return {
    what,
    how:
      `, put the newer file of a release in its place, after you have checked its sum. Or build one, in a
copy of the sources:
  git pull --ff-only
  npx -y deno@${Deno.version.deno} task ${task}
which makes ${file}.`,
  };
}

function checkout(): string {
  return decodeURIComponent(new URL("../..", import.meta.url).pathname).replace(/\/$/, "");
}

function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
