/** The licences of what comes with the program: of every package that our code names, and of none that only tests use. */
import { deepStrictEqual as equal, match, ok, rejects } from "node:assert";
import config from "../../deno.json" with { type: "json" };
import { wasmFiles } from "@/workers/grammars.ts";
import { noticeText } from "../../tasks/notice_text.ts";
import { shippedPackages } from "../../tasks/shipped.ts";
import { withWorkspace } from "../support/workspace.ts";

const FOR_TESTS = /conformance|server-everything|server-filesystem|fast-check|xterm|^parse5$|^ajv$/;

Deno.test("the notices name every package that is shipped, each with a text, and none of the tests'", async () => {
  const shipped = await shippedPackages();
  const names = shipped.map(({ name }) => name);
  const declared = Object.values(config.imports)
    .flatMap((target) => /^npm:\/?((?:@[^/]+\/)?[^@/]+)@/.exec(target)?.[1] ?? []);
  const wanted = [...new Set(declared)].filter((name) => !FOR_TESTS.test(name));
  ok(wanted.length > 20);
  equal(wanted.filter((name) => !names.includes(name)), []);
  equal(names.filter((name) => FOR_TESTS.test(name)), []);
  // What they bring along is in the program as well.
  for (const brought of ["jose", "@smithy/core", "css-select"]) {
    ok(names.includes(brought), brought);
  }

  const text = await noticeText(shipped);
  const parts = text.split(/^-{80}\n/m).slice(1);
  for (const { name, version } of shipped) {
    const own = parts.filter((part) =>
      part.split("\n\n", 1)[0]?.split("\n").includes(`${name} ${version}`)
    );
    ok(own.length > 0, `${name} is not named`);
    ok(
      own.some((part) => /copyright|public domain/i.test(part) && part.length > 400),
      `${name} has no text`,
    );
  }
  match(text, /^Deno \(the runtime[\s\S]*?Copyright 2018-2026 the Deno authors/m);
  match(text, /^V8 \(in Deno[\s\S]*?Redistributions in binary form/m);
  match(
    text,
    /^pdf\.js \(in unpdf[\s\S]*?Copyright 2024 Mozilla Foundation[\s\S]*?Apache License/m,
  );
  const grammars = wasmFiles().flatMap(({ url }) =>
    /@vscode\/tree-sitter-wasm.*\/(tree-sitter-.*)\.wasm$/.exec(String(url))?.[1] ?? []
  );
  ok(grammars.length >= 10);
  // The one for TSX is of the same package as the one for TypeScript.
  const ofOthers = grammars.map((name) => name.replace("-tsx", "-typescript"));
  equal(ofOthers.filter((name) => !text.includes(`\n${name} (in @vscode/tree-sitter-wasm`)), []);
});

Deno.test("a package without a licence that anybody knows ends the making", async () => {
  await withWorkspace(async (dir) => {
    await Deno.writeTextFile(
      `${dir}/package.json`,
      '{ "license": "SEE ELSEWHERE", "author": "A" }',
    );
    await rejects(
      noticeText([{ name: "odd", version: "1.0.0", dir }]),
      /odd 1\.0\.0 comes without a licence text, and "SEE ELSEWHERE"/,
    );
  });
});
