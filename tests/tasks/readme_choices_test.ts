/** README names each package that the project is made with, and no other. */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import config from "../../deno.json" with { type: "json" };
import { projectText } from "../quality/project.ts";

Deno.test("README's choices are the packages of deno.json, each with its purpose", () => {
  const used = Object.values(config.imports).flatMap((target) =>
    /^npm:\/?((?:@[^/]+\/)?[^@/]+)@/.exec(target)?.[1] ?? []
  );
  const choices = /\n## Choices\n([^]*)$/.exec(projectText("README.md") ?? "")?.[1] ?? "";
  const rows = [...choices.matchAll(/^\| (`.*`) \| (.+) \|$/gm)];
  const named = rows.flatMap(([, names = ""]) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, n]) => n)
  );
  ok(used.length > 20);
  equal(named.sort(), [...new Set(used)].sort());
});
