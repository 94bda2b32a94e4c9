/** Lines that a command does not take: a wrong use, which a run tells by its exit code. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { PersonError } from "@/protocol/error.ts";
import { exitCodeOfError } from "@/terminal/exit_code.ts";
import { testHost } from "../../support/command_host.ts";

// Those that are noticed before anything is reached for: a host without parts is enough.
const LINES = [
  "/automode maybe",
  "/autoverify maybe",
  "/autotitle maybe",
  "/deepthink maybe",
  "/planmode maybe",
  "/record maybe",
  "/think maybe",
  "/fork x",
  "/hooks x",
  "/network dance",
  "/perms allow",
  "/perms dance",
  "/profile dance",
  "/ps dance",
  "/ps tail",
  "/redo 3",
  "/rewind x",
  "/rewind 1 all",
  "/skill",
  "/skills dance",
  "/status now",
  "/undo dance",
  "/vm dance",
];

for (const line of LINES) {
  Deno.test(`${line} is a wrong use, and the sentence says what is taken`, async () => {
    const { ok, text, error } = await testHost().run(line);
    equal([ok, exitCodeOfError(error)], [false, 2]);
    equal(error instanceof PersonError && error.message, text);
    match(text, /^\/\w+/);
  });
}

Deno.test("a command that needs the screen is a wrong use of a run without one", async () => {
  const { error } = await testHost({ isInteractive: false }).run("/history");
  equal(exitCodeOfError(error), 2);
});

Deno.test("what was understood and could not be done is a failure", async () => {
  const { ok, error } = await testHost().run("/copy");
  equal([ok, exitCodeOfError(error)], [false, 1]);
});

Deno.test("/tdd without a terminal needs its request at once", async () => {
  const { ok, text, error } = await testHost({ isInteractive: false }).run("/tdd");
  equal([ok, exitCodeOfError(error)], [false, 2]);
  match(text, /there is no next message: \/tdd REQUEST/);
});
