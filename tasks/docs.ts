/** `deno task docs`: writes README's tables from the declarations. */
import { fileURLToPath } from "node:url";
import { readmeTables, withTables } from "./readme_tables.ts";

const README = fileURLToPath(new URL("../README.md", import.meta.url));

const before = await Deno.readTextFile(README);
const after = withTables(before, readmeTables());
if (after === before) {
  console.log("README.md is up to date");
} else {
  await Deno.writeTextFile(README, after);
  console.log("README.md: tables written");
}
