import { deepStrictEqual as equal } from "node:assert";
import { COMPILE_FLAGS, PERMISSIONS, RUN_FLAGS } from "@/release/flags.ts";
import { FLAGS } from "../support/program.ts";

const permissions = (flags: readonly string[]) =>
  flags.filter((flag) => /^--(allow|deny)/.test(flag));

Deno.test("the built file runs under the permissions of task start, but for writing, which its launcher limits", () => {
  const ofStart = permissions(FLAGS);
  equal(PERMISSIONS, ofStart.filter((flag) => flag !== "--allow-write"));
  equal(permissions(RUN_FLAGS), PERMISSIONS);
  equal(permissions(COMPILE_FLAGS), [...PERMISSIONS, "--allow-write"]);
});

Deno.test("the built file reads no configuration of the folder it is started in, and downloads nothing", () => {
  for (const flag of ["--no-config", "--no-lock", "--no-remote", "--no-npm", "--no-prompt"]) {
    equal(RUN_FLAGS.includes(flag), true, flag);
  }
});
