/** Searching while a command lives that could swap directories for links. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { Processes } from "@/sandbox/processes.ts";
import { openReal } from "@/workspace/open_real.ts";
import { Search } from "@/workspace/search.ts";
import { OwnSearch } from "@/workspace/search_own.ts";
import { withWorkspace } from "../support/workspace.ts";

const ignore = Deno.build.os === "windows";
const signal = new AbortController().signal;

Deno.test(
  { name: "OwnSearch opens no file behind a link that took a directory's place", ignore },
  async () => {
    await withWorkspace(async (root) => {
      const dir = await Deno.realPath(root);
      for (const name of ["ws", "out"]) await Deno.mkdir(join(dir, name));
      await Deno.writeTextFile(join(dir, "out", "a.txt"), "secret\n");
      await Deno.symlink(join(dir, "out"), join(dir, "ws", "d"));
      const path = join(dir, "ws", "d", "a.txt");
      const pattern = { kind: "literal", text: "secret" } as const;
      const found = async (search: OwnSearch) =>
        (await search.hits(pattern, [path], { hitsMax: 1, signal })).map(({ length }) => length);
      equal(await found(new OwnSearch()), [1]);
      equal(await found(new OwnSearch(undefined, (at) => openReal(at).file)), [0]);
    });
  },
);

Deno.test({ name: "Search uses no ripgrep while such a command lives", ignore }, async () => {
  await withWorkspace(async (root) => {
    const dir = await Deno.realPath(root);
    for (const name of ["ws", "bin"]) await Deno.mkdir(join(dir, name));
    const called = join(dir, "called");
    const rg = `#!/bin/sh\n: > ${called}\nexit 1\n`;
    await Deno.writeTextFile(join(dir, "bin", "rg"), rg, { mode: 0o755 });
    await Deno.writeTextFile(join(dir, "ws", "a.txt"), "found me\n");
    const processes = new Processes({ PATH: `${dir}/bin:/usr/bin:/bin` });
    const isCalled = () => Deno.stat(called).then(() => true, () => false);
    const workspace = join(dir, "ws");
    const search = new Search({ processes, workspace });
    const find = async () =>
      (await search.find({ query: "found", isRegex: false, root: workspace }, signal)).text;
    const living = processes.start({
      ...{ program: "sleep", args: ["60"], cwd: "/", wrap: (inner) => inner },
    });
    match(await find(), /a\.txt:1/);
    equal(await isCalled(), false);
    await living.kill(0);
    await find();
    equal(await isCalled(), true);
    await processes.close();
  });
});
