/** What the person has git ignore everywhere is ignored inside as well. */
import { equal } from "node:assert/strict";
import { join } from "node:path";
import { needing, withSandbox } from "../support/sandbox.ts";

Deno.test({
  name: "a status inside ignores what the person ignores everywhere",
  ...await needing("git"),
}, async () => {
  await withSandbox(async ({ run }) => {
    const { output } = await run("git init -q . && touch kept.txt noise.swp && git status --short");
    equal(output, "?? kept.txt\n");
  }, {
    prepare: async ({ home }) => {
      await Deno.writeTextFile(join(home, "ignores"), "*.swp\n");
      await Deno.writeTextFile(join(home, ".gitconfig"), "[core]\n\texcludesFile = ~/ignores\n");
    },
  });
});
