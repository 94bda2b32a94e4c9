/** Programs that would have a call made with other arguments: what runs, who decides about it, and who is told. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { before, echo, shell, turn } from "../support/hooked_turn.ts";

/** A program that changes what it is told; `python` changes `i`, the input, and may set `say`. */
const changing = (python: string, more = "") =>
  `python3 -c '
import json,sys
i=json.load(sys.stdin)["tool_input"]
say={}
${python}
print(json.dumps({"hookSpecificOutput":{**say,"updatedInput":i}}))' ${more}`;
const ALLOW = `say={"permissionDecision":"allow"}`;
const toCommand = (command: string, ...also: string[]) =>
  changing([`i["command"]="${command}"`, ...also].join("\n"));
const out = (dir: string) => Deno.readTextFile(join(dir, "out")).catch(() => "nothing");

Deno.test("a hook's arguments run in the place of the model's, and everybody is told", async () => {
  const { decided, notices, texts, asked } = await turn({
    hooks: before(toCommand("echo safe > out", ALLOW)),
    calls: [echo("echo wild > out")],
  }, async ({ dir }) => equal(await out(dir), "safe\n"));
  equal([decided, asked], [["allow by guard"], []]);
  ok(
    notices.some((text) =>
      /^hook ".*has changed a call of run_cmd: \{"command":"echo safe/.test(text)
    ),
  );
  match(
    texts.join("\n"),
    /^hook ".*has changed the call; what ran instead: \{"command":"echo safe > out"\}$/m,
  );
});

Deno.test("what a hook has changed is asked about as it would run, and the question says so", async () => {
  const { decided, asked } = await turn({
    hooks: before(toCommand("echo safe > out")),
    calls: [echo("echo wild > out")],
    yes: true,
  }, async ({ dir }) => equal(await out(dir), "safe\n"));
  equal(decided, ["allow by person"]);
  match(asked[0] ?? "", /hook ".*has changed it$/);
});

Deno.test("rules decide about what a hook has changed, whatever the hook says of it", async () => {
  const { decided } = await turn({
    hooks: before(toCommand("rm -rf out", ALLOW)),
    run: { auto: true, deny: ["run_cmd(rm *)"] },
  });
  equal(decided, ["deny by rule"]);
  const outside = await turn({
    hooks: before(changing(`i["file_path"]="/tmp/people-out"\n${ALLOW}`)),
    calls: [{ name: "write_file", arguments: { filepath: "a.txt", content: "x" } }],
  });
  equal(outside.decided, ["deny by person"]);
  const state = await turn({
    hooks: before(changing(`i["file_path"]="../home/hooks.json"\n${ALLOW}`)),
    calls: [{ name: "write_file", arguments: { filepath: "a.txt", content: "x" } }],
    run: { auto: true },
  });
  equal(state.decided, ["deny by guard"]);
  match(state.reasons[0] ?? "", /keeps its own state/);
});

Deno.test("a path by its other name is taken over, and what did not change stays", async () => {
  await turn({
    hooks: before(changing(`i["file_path"]=i["file_path"].replace("a.txt","b.txt")\n${ALLOW}`)),
    calls: [{ name: "write_file", arguments: { filepath: "a.txt", content: "x" } }],
  }, async ({ dir }) => equal(await Deno.readTextFile(join(dir, "b.txt")), "x"));
  await turn({
    hooks: before(changing(`i["content"]="y"\n${ALLOW}`)),
    calls: [{ name: "write_file", arguments: { filepath: "a.txt", content: "x" } }],
  }, async ({ dir }) => equal((await Deno.readTextFile(join(dir, "a.txt"))).trim(), "y"));
});

Deno.test("arguments that do not fit run nothing", async () => {
  const { decided, texts } = await turn({
    hooks: before(changing(`i={"comand":"echo"}`)),
    run: { auto: true },
  }, async ({ dir }) => equal(await out(dir), "nothing"));
  equal(decided, ["deny by guard"]);
  match(texts.join("\n"), /arguments do not fit[\s\S]*has changed them/);
});

Deno.test("who has changed a call is asked once; everybody else hears what it has become", async () => {
  const once = await turn({
    hooks: before(changing(`i["command"]="nice "+i["command"]\n${ALLOW}`)),
  });
  equal(once.decided, ["allow by guard"]);
  const refused = await turn({
    hooks: {
      PreToolUse: [{
        hooks: [
          shell(toCommand("echo evil > out", ALLOW)),
          shell("grep -q evil && { echo not that >&2; exit 2; } || exit 0"),
        ],
      }],
    },
    run: { auto: true },
  }, async ({ dir }) => equal(await out(dir), "nothing"));
  equal(refused.decided, ["deny by guard"]);
  match(refused.reasons[0] ?? "", /refused it: not that/);
});

Deno.test("hooks that want different arguments run nothing", async () => {
  for (const second of [toCommand("echo b"), changing(`i["command"]="nice "+i["command"]`)]) {
    const { decided, reasons } = await turn({
      hooks: { PreToolUse: [{ hooks: [shell(toCommand("echo a", ALLOW)), shell(second)] }] },
      run: { auto: true },
    });
    equal(decided, ["deny by guard"]);
    match(reasons[0] ?? "", /do not agree about its arguments/);
  }
  const same = await turn({
    hooks: before(toCommand("echo a > out"), {}),
    run: { auto: true },
  }, async ({ dir }) => equal(await out(dir), "a\n"));
  equal(same.decided, ["allow by automode"]);
});
