import { deepStrictEqual as assertEquals, ok, throws } from "node:assert";
import { readmeTables, withTables } from "../../tasks/readme_tables.ts";
import { projectText } from "../quality/project.ts";

const TEXT = "# Title\n\n<!-- table: a -->\nold\n<!-- end of table -->\n\nRest.\n";

Deno.test("withTables() puts a table between its marks and leaves the rest alone", () => {
  const fresh = "# Title\n\n<!-- table: a -->\n| x |\n<!-- end of table -->\n\nRest.\n";
  assertEquals(withTables(TEXT, { a: "| x |" }), fresh);
  assertEquals(withTables(fresh, { a: "| x |" }), fresh);
});

Deno.test("withTables() fills marks that have nothing between them", () => {
  const text = "<!-- table: a -->\n<!-- end of table -->\n";
  assertEquals(withTables(text, { a: "x" }), "<!-- table: a -->\nx\n<!-- end of table -->\n");
});

Deno.test("withTables() takes a dollar sign in a table for itself", () => {
  assertEquals(withTables(TEXT, { a: "$& $1" }).includes("\n$& $1\n"), true);
});

Deno.test("withTables() refuses a name without a table, a missing end, and a table without a place", () => {
  throws(() => withTables(TEXT, {}), /no table "a"/);
  throws(
    () => withTables("<!-- table: a -->\nold\n", { a: "x" }),
    /has no "<!-- end of table -->"/,
  );
  const unclosed = `<!-- table: b -->\n${TEXT}`;
  throws(() => withTables(unclosed, { a: "x", b: "y" }), /has no "<!-- end of table -->"/);
  throws(() => withTables(TEXT, { a: "x", b: "y" }), /No place for the table "b"/);
});

Deno.test("readmeTables() has a row for every tool, setting and form of a command", () => {
  const { tools = "", settings = "", commands = "" } = readmeTables();
  const writeFile =
    "| `write_file` | `filepath` `content` | Create a file, or replace the whole content of one |";
  assertEquals(tools.split("\n").includes(writeFile), true);
  const row = "| `NUM_CTX` | `65536` | Context window asked of Ollama, in tokens |";
  assertEquals(settings.split("\n").includes(row), true);
  assertEquals(
    commands.split("\n").some((line) => line.startsWith("| `/set NAME VALUE` | ")),
    true,
  );
});

Deno.test("README's tables are what `deno task docs` would write", () => {
  const readme = projectText("README.md") ?? "";
  ok(withTables(readme, readmeTables()) === readme, "README.md is stale; run `deno task docs`");
});
