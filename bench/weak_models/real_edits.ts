/**
 * Edits that people made: what changed between two published versions of an npm package (undici, MIT), one edit a place.
 * Deno fetches both by a lock that names what they must be, the first time; nothing of them is kept here.
 */
import { structuredPatch } from "diff";
import { splitLines } from "@/workspace/text_file.ts";
import { drawn, seeded } from "./random.ts";
import { textIfThere } from "../../tests/support/text_if_there.ts";

/** Lines `from` to `to` of the file (from 1) become `lines`. What is only added stands with the line before it. */
export type RealEdit = {
  file: string;
  texts: readonly string[];
  from: number;
  to: number;
  lines: readonly string[];
};

export const PACKAGE = "undici 7.0.0 to 8.0.0";

const VERSIONS = {
  "7.0.0":
    "sha512-c4xi3kWnQJrb7h2q8aJYKvUzmz7boCgz1cUCC6OwdeM5Tr2P0hDuthr2iut4ggqsz+Cnh20U/LoTzbKIdDS/Nw==",
  "8.0.0":
    "sha512-RGabV5g1ggSX5mU4k+B8BLWgb418gDbg0wAVFeiU00iOxtw4ufGsE6GFsuSd2uqOKooWSLf71JGapOFYpE8f+A==",
} as const;
const LINES_MAX = 20;
const SEED = 20_261_130;

/** `count` of the edits, the same in every run. */
export async function realEdits(count: number): Promise<RealEdit[]> {
  const [before, after] = await fetched();
  const edits: RealEdit[] = [];
  for (const file of filesBelow(`${before}/lib`)) {
    const [old, now] = [textIfThere(`${before}/lib/${file}`), textIfThere(`${after}/lib/${file}`)];
    if (old !== undefined && now !== undefined) edits.push(...editsOf(file, old, now));
  }
  if (edits.length < count) throw new Error(`Only ${edits.length} edits in ${PACKAGE}`);
  return drawn(edits, count, seeded(SEED));
}

/** The folders of both versions in Deno's cache, as the registry published them. */
async function fetched(): Promise<string[]> {
  const dir = await Deno.makeTempDir({ prefix: "harness-bench-" });
  try {
    const names = Object.keys(VERSIONS);
    const specifiers = names.map((version) => `npm:undici@${version}`);
    const npm = Object.entries(VERSIONS).map(([version, integrity]) =>
      [`undici@${version}`, { integrity }] as const
    );
    const lock = {
      version: "5",
      specifiers: Object.fromEntries(specifiers.map((name, at) => [name, names[at]])),
      npm: Object.fromEntries(npm),
    };
    await Deno.writeTextFile(`${dir}/deno.json`, JSON.stringify({ lock: { frozen: true } }));
    await Deno.writeTextFile(`${dir}/deno.lock`, JSON.stringify(lock));
    await Deno.writeTextFile(
      `${dir}/both.js`,
      specifiers.map((name) => `import "${name}";\n`).join(""),
    );
    await deno(dir, "cache", "-q", "both.js");
    const { npmCache }: { npmCache: string } = JSON.parse(await deno(dir, "info", "--json"));
    return names.map((version) => `${npmCache}/registry.npmjs.org/undici/${version}`);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

async function deno(cwd: string, ...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd })
    .output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`deno ${args.join(" ")}: ${decoder.decode(stderr).trim()}`);
  return decoder.decode(stdout);
}

/** JavaScript files below a folder, by their paths in it. */
function filesBelow(dir: string, within = ""): string[] {
  const entries = [...Deno.readDirSync(`${dir}/${within}`)];
  return entries.toSorted((a, b) => a.name < b.name ? -1 : 1).flatMap(({ name, isDirectory }) => {
    if (isDirectory) return filesBelow(dir, `${within}${name}/`);
    return name.endsWith(".js") ? [`${within}${name}`] : [];
  });
}

function editsOf(file: string, before: string, after: string): RealEdit[] {
  const texts = splitLines(before);
  const { hunks } = structuredPatch(file, file, before, after, "", "", { context: 0 });
  return hunks.flatMap(({ oldStart, oldLines, lines }) => {
    const added = lines.filter((line) => line.startsWith("+")).map((line) => line.slice(1));
    if (oldLines > LINES_MAX || added.length > LINES_MAX) return [];
    if (oldLines > 0) {
      return [{ file, texts, from: oldStart, to: oldStart + oldLines - 1, lines: added }];
    }
    // Added lines stand behind line `oldStart - 1` or, at the top of a file, before the first.
    const [line, isBehind] = oldStart > 1 ? [oldStart - 1, true] : [1, false];
    const kept = texts[line - 1] ?? "";
    return [{
      file,
      texts,
      from: line,
      to: line,
      lines: isBehind ? [kept, ...added] : [...added, kept],
    }];
  });
}
