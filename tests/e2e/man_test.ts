/** The man page says what the program declares, and is one for the programs that show it. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { harness } from "../support/program.ts";
import { withWorkspace } from "../support/workspace.ts";
import surface from "../testdata/surface.json" with { type: "json" };

/** What shows man pages: the page is its input. Each says what it does not understand, and ends with a code for it. */
const READERS: readonly (readonly [string, ...string[]])[] = [
  ["mandoc", "-T", "lint", "-W", "warning"],
  ["groff", "-man", "-Tascii", "-ww", "-z"],
];

async function page(): Promise<string> {
  let printed = "";
  await withWorkspace(async (dir) => {
    const ran = await harness(["man"], { cwd: dir, home: `${dir}/none` });
    equal([ran.code, ran.stderr], [0, ""]);
    printed = ran.stdout;
  });
  return printed;
}

Deno.test("the man page has every option, subcommand, exit code and key variable", async () => {
  const text = (await page()).replaceAll("\\-", "-");
  for (const name of [...surface.options, ...surface.subcommands]) {
    if (["completions", "mcp", "policy", "sessions"].includes(name)) {
      match(text, new RegExp(`^\\\\fB${name} \\w+\\\\fR`, "m"));
    } else match(text, new RegExp(`\\\\fB${name}\\\\fR`), name);
  }
  for (const code of surface.exitCodes) match(text, new RegExp(`^\\.B ${code}$`, "m"));
  ok(text.includes(".B ANTHROPIC_API_KEY\n"));
});

for (const [reader, ...args] of READERS) {
  const isThere = new Deno.Command("sh", { args: ["-c", `command -v ${reader}`], stdout: "null" })
    .outputSync().success;
  Deno.test(`${reader} reads the man page without a complaint`, { ignore: !isThere }, async () => {
    const child = new Deno.Command(reader, {
      ...{ args, stdin: "piped", stdout: "piped", stderr: "piped" },
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(await page()));
    await writer.close();
    const { stdout, stderr } = await child.output();
    const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    // There is no date in it, so that the same program prints the same page.
    const complaints = said.split("\n").filter((line) => line !== "" && !/missing date/.test(line));
    equal(complaints, []);
  });
}
