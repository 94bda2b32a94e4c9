import { deepStrictEqual as equal } from "node:assert/strict";
import { normalise } from "@/entry/argv.ts";

Deno.test("normalise() turns single-dash spellings that people know into ours, and nothing else", () => {
  equal(normalise(["-resume", "x", "-p", "-model", "--continue", "-x"]), [
    ...["--resume", "x", "-p", "--model", "--continue", "-x"],
  ]);
});

Deno.test("normalise() leaves the command line of a server that is added to the server", () => {
  const npx = ["npx", "-y", "-model", "pkg", "--port", "1"];
  equal(normalise(["mcp", "add", "fs", ...npx]), ["mcp", "add", "--", "fs", ...npx]);
  equal(normalise(["mcp", "add", "fs", "--", ...npx]), ["mcp", "add", "fs", "--", ...npx]);
  equal(normalise(["mcp", "add", "fs", "sh", "--", "-c"]).slice(2), ["--", "fs", "sh", "--", "-c"]);
  for (const own of [["mcp", "add", "--help"], ["mcp", "add"], ["mcp", "list", "--trust"]]) {
    equal(normalise(own), own);
  }
});
