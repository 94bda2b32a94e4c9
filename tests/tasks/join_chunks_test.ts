/** What is loaded together is one file, and does what it did. */
import { deepStrictEqual as equal, rejects } from "node:assert";
import { joinChunks, reached, readChunks } from "../../tasks/join_chunks.ts";
import { startsOf } from "../../tasks/starts.ts";

/** As esbuild writes them: two entry points behind `import()`, of which one start takes one. */
const CHUNKS = new Map([
  [
    "main.js",
    'import{a as t}from"./chunk-A.js";t("main");await import("./one-H.js");await globalThis.go();console.log(JSON.stringify(globalThis.said));',
  ],
  [
    "one-H.js",
    'import{a as t}from"./chunk-A.js";import{b,c as n}from"./chunk-B.js";t(b+n);' +
    'var w=()=>import("./two-H.js");globalThis.go=()=>w().then(({two:x})=>t(x));export{w as go};',
  ],
  [
    "two-H.js",
    'import{c as n,a}from"./chunk-B.js";import"./chunk-D.js";var e="two"+n+a;export{e as two};',
  ],
  ["chunk-A.js", "globalThis.said=[];function t(n){globalThis.said.push(n)}export{t as a};"],
  [
    "chunk-B.js",
    'import{a as t}from"./chunk-A.js";t("B");var b="b",n="c";export{n as a,b,n as c};',
  ],
  ["chunk-D.js", 'globalThis.said.push("D");'],
]);
const STARTS = [reached(CHUNKS, ["main.js"]), reached(CHUNKS, ["main.js", "one-H.js"])];

Deno.test("joinChunks() imports as one what the same starts load, and the program does what it did", async () => {
  equal(STARTS.map((start) => [...start]), [
    ["main.js", "chunk-A.js"],
    ["main.js", "chunk-A.js", "one-H.js", "chunk-B.js"],
  ]);
  const joined = joinChunks(CHUNKS, STARTS);
  equal([...joined.keys()].filter((name) => !CHUNKS.has(name)), [
    ...["part01.js", "late_part01.js", "part11.js", "late_part11.js"],
  ]);
  equal([...reached(joined, ["two-H.js"])].sort(), [
    ...["chunk-A.js", "chunk-B.js", "chunk-D.js", "one-H.js"],
    ...["part01.js", "part11.js", "two-H.js"],
  ]);
  const said = ["main", "B", "bc", "D", "twocc"];
  for (const chunks of [CHUNKS, joined]) equal(await saidBy(chunks), said);
});

Deno.test("a bundle is read as the files it has, and one without our entry points is refused", async () => {
  const dir = await Deno.makeTempDir();
  try {
    for (const [name, code] of CHUNKS) await Deno.writeTextFile(`${dir}/${name}`, code);
    const chunks = await readChunks(dir);
    equal(new Map(chunks), new Map([...CHUNKS].toSorted()));
    await rejects(startsOf(chunks, `${dir}/try`), /No chunk is called cli/);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

/** What the program said, in order. */
async function saidBy(chunks: ReadonlyMap<string, string>): Promise<string[]> {
  const dir = await Deno.makeTempDir();
  try {
    for (const [name, code] of chunks) await Deno.writeTextFile(`${dir}/${name}`, code);
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", "--no-config", "--no-lock", "--cached-only", `${dir}/main.js`],
    }).output();
    return JSON.parse(new TextDecoder().decode(stdout));
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}
