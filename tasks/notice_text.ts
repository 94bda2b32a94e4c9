/** The licences of what a built program is made of, as one text. */
import type { Shipped } from "./shipped.ts";
import { ROOT } from "./bundle.ts";
import { LICENCE_WORDS } from "./licence_words.ts";

/** One licence text, and whose it is. */
type Notice = { of: string; text: string };

type Worded = keyof typeof LICENCE_WORDS | "Apache-2.0";

/** What no list of packages knows, with the lines of its copyright; MIT unless it says otherwise. */
type Within = { of: string; copyright: string; isIn?: string; license?: Worded };

/** Whose the grammars in @vscode/tree-sitter-wasm are, by the licences of the packages that it is built of. */
const GRAMMARS: Readonly<Record<string, string>> = {
  "bash": "Copyright (c) 2017 Max Brunsfeld",
  "c-sharp":
    "Copyright (c) 2014-2023 Max Brunsfeld, Damien Guard, Amaan Qureshi, and contributors.",
  "cpp": "Copyright (c) 2014 Max Brunsfeld",
  "css": "Copyright (c) 2018 Max Brunsfeld",
  "go": "Copyright (c) 2014 Max Brunsfeld",
  "java": "Copyright (c) 2017 Ayman Nadeem",
  "javascript": "Copyright (c) 2014 Max Brunsfeld",
  "php": "Copyright (c) 2017 Josh Vera, GitHub\n" +
    "Copyright (c) 2019 Max Brunsfeld, Amaan Qureshi, Christian Frøystad, Caleb White",
  "python": "Copyright (c) 2016 Max Brunsfeld",
  "ruby": "Copyright (c) 2016 Rob Rix",
  "rust": "Copyright (c) 2017 Maxim Sokolov",
  "typescript": "Copyright (c) 2017 Max Brunsfeld",
};

/** What is in a package, or around all. */
const WITHIN: readonly Within[] = [
  {
    of:
      "Deno (the runtime in the single file, https://deno.com; the licences of what it is made of\n" +
      "are with its source, https://github.com/denoland/deno)",
    copyright: "Copyright 2018-2026 the Deno authors",
  },
  {
    of: "V8 (in Deno, https://v8.dev)",
    copyright: "Copyright 2006-2011, the V8 project authors. All rights reserved.",
    license: "BSD-3-Clause",
  },
  {
    of: "pdf.js (in unpdf, https://github.com/mozilla/pdf.js)",
    copyright: "Copyright 2024 Mozilla Foundation",
    isIn: "unpdf",
    license: "Apache-2.0",
  },
  ...Object.entries(GRAMMARS).map(([name, copyright]) => ({
    of: `tree-sitter-${name} (in @vscode/tree-sitter-wasm, https://github.com/tree-sitter/` +
      `tree-sitter-${name})`,
    copyright,
    isIn: "@vscode/tree-sitter-wasm",
  })),
];

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;
const RULE = "-".repeat(80);

/** Make it. Throws for a package whose licence is neither with it nor one whose words are known. */
export async function noticeText(shipped: readonly Shipped[]): Promise<string> {
  const apache = await Deno.readTextFile(`${ROOT}LICENSE`);
  const within = WITHIN.filter(({ isIn }) =>
    isIn === undefined || shipped.some(({ name }) => name === isIn)
  ).map(({ of, copyright, license = "MIT" }) => ({
    of,
    text: worded(license, { copyright, apache }),
  }));
  const notices = [...(await Promise.all(shipped.map((one) => noticesOf(one, apache)))).flat()];
  const texts = Map.groupBy([...notices, ...within], ({ text }) => text);
  const parts = [...texts].map(([text, of]) =>
    `${RULE}\n${of.map((one) => one.of).join("\n")}\n\n${text}\n`
  );
  return [
    "harness is under the Apache License 2.0 (LICENSE). What follows is the work of others that comes with it,",
    "and what their licences ask to be told.\n",
    ...parts,
  ].join("\n");
}

async function noticesOf({ name, version, dir }: Shipped, apache: string): Promise<Notice[]> {
  const of = `${name} ${version}`;
  const entries = await Array.fromAsync(Deno.readDir(dir));
  const files = entries.filter((entry) => entry.isFile && LICENCE_FILE.test(entry.name));
  if (files.length > 0) {
    return await Promise.all(files.map(async (file) => ({
      of,
      text: tidied(await Deno.readTextFile(`${dir}/${file.name}`)),
    })));
  }
  const { license, author } = JSON.parse(await Deno.readTextFile(`${dir}/package.json`));
  const holder = typeof author === "string" ? author : author?.name;
  if (holder === undefined || !isWorded(license)) {
    throw new Error(`${of} comes without a licence text, and "${license}" by "${holder}" has none`);
  }
  return [{ of, text: worded(license, { copyright: `Copyright (c) ${holder}`, apache }) }];
}

/** The words of a licence, where they are not with the package. */
function worded(
  license: Worded,
  { copyright, apache }: { copyright: string; apache: string },
): string {
  if (license === "Apache-2.0") return `${copyright}\n\n${tidied(apache)}`;
  return `${license} License\n\n${copyright}\n\n${LICENCE_WORDS[license]}`;
}

function isWorded(license: unknown): license is Worded {
  return license === "Apache-2.0" || Object.keys(LICENCE_WORDS).some((one) => one === license);
}

/** The same words are the same text, however they are laid out at their ends. */
function tidied(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(/[ \t]+$/gm, "").replace(/^\n+|\n+$/g, "");
}
