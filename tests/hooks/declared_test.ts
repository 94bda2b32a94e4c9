import { deepStrictEqual as equal, match } from "node:assert/strict";
import { type HookFile, readHooks } from "@/hooks/declared.ts";

const file = (hooks: unknown, origin: HookFile["origin"] = "person"): HookFile => ({
  label: "hooks.json",
  origin,
  text: JSON.stringify({ hooks }),
});

Deno.test("readHooks() bounds time, and keeps a project's programs inside", () => {
  const group = [{
    matcher: "Bash",
    hooks: [
      { type: "command", command: "a", timeout: 5 },
      { command: "b", timeout: 1e9, args: ["x"], sandbox: false, onError: "allow" },
    ],
  }];
  const { programs, problems } = readHooks(file({ PreToolUse: group }, "project"));
  equal(problems, []);
  equal(
    programs.map(({ timeoutS, isInside, onError, args }) => [timeoutS, isInside, onError, args]),
    [
      [5, true, "ask", undefined],
      [3600, true, "allow", ["x"]],
    ],
  );
  equal(
    readHooks(file({ Stop: [{ hooks: [{ command: "c", sandbox: true }] }] })).programs[0]?.isInside,
    true,
  );
});

Deno.test("readHooks() keeps what cannot be run, with why", () => {
  const broken: readonly (readonly [unknown, RegExp])[] = [
    [{ type: "prompt", prompt: "x" }, /its type is "prompt"/],
    [{ type: "command" }, /no "command"/],
    [{ command: "x", args: "y" }, /"args" are no list/],
    [{ command: "x", timeout: -1 }, /"timeout" is no number/],
    [7, /no object/],
  ];
  for (const [entry, why] of broken) {
    match(readHooks(file({ PreToolUse: [{ hooks: [entry] }] })).programs[0]?.problem ?? "", why);
  }
  const many = { PreToolUse: [{ hooks: Array.from({ length: 41 }, () => ({ command: "x" })) }] };
  const { programs, problems } = readHooks(file(many));
  equal([programs.length, problems.length], [1, 1]);
});
