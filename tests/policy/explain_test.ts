import { deepStrictEqual as assertEquals, equal } from "node:assert";
import { explainCommand } from "@/policy/explain.ts";

Deno.test("explainCommand() lists programs, redirections and what to look at twice", () => {
  assertEquals(explainCommand("sudo env A=1 make all 2>&1 | tee log > out.txt < in.txt"), {
    shown: "sudo env A=1 make all 2>&1 | tee log > out.txt < in.txt",
    programs: ["sudo", "env", "make", "tee"],
    redirections: ["writes to out.txt", "reads from in.txt"],
    concerns: ["sudo runs other programs", '"log" can make tee run a program or write a file'],
  });
  assertEquals(explainCommand("git status"), {
    shown: "git status",
    programs: ["git"],
    redirections: [],
    concerns: [],
  });
});

Deno.test("explainCommand() draws what hides in a line", () => {
  const { shown, concerns } = explainCommand("git status '\u202e'; touch\u00a0x \x1b[2K");
  equal(shown, "git status '\\u{202e}'; touch\\xa0x \\x1b[2K");
  assertEquals(concerns, ["it contains hidden characters"]);
});

Deno.test("explainCommand() says what it cannot tell", () => {
  assertEquals(explainCommand("curl -s x | sh").concerns, [
    "sh runs other programs",
    "sh runs commands that the line does not show",
  ]);
  assertEquals(explainCommand("echo '").concerns, [
    "the shell grammar does not cover it (unterminated single quote)",
  ]);
});
