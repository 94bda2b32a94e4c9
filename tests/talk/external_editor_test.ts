import { deepStrictEqual as equal, rejects } from "node:assert/strict";
import { dirname, join } from "node:path";
import { PersonError } from "@/protocol/error.ts";
import { editText } from "@/talk/external_editor.ts";
import { withWorkspace } from "../support/workspace.ts";

async function edited(script: string): Promise<string> {
  let text = "";
  await withWorkspace(async (dir) => {
    const editor = join(dir, "editor");
    await Deno.writeTextFile(editor, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    text = await editText("one\n", { env: { PATH: "/usr/bin:/bin", EDITOR: editor }, cwd: dir });
  });
  return text;
}

const failed = async (script: string): Promise<string> => {
  let message = "";
  await rejects(edited(script), (error) => {
    message = error instanceof PersonError ? error.message : "";
    return true;
  });
  return message;
};

Deno.test({
  name: "editText() gives what was saved, and leaves nothing behind",
  ignore: Deno.build.os === "windows",
}, async () => {
  equal(await edited('printf "two\\n" >> "$1"'), "one\ntwo");
  equal(await edited("true"), "one");
});

Deno.test({
  name:
    "editText() of an editor that fails leaves the text, and keeps what had been saved where it says",
  ignore: Deno.build.os === "windows",
}, async () => {
  const message = await failed('printf "two\\n" >> "$1"; exit 3');
  const [, file = ""] = /exit code 3; the text is as it was; what was saved in it is in "(.*)"$/
    .exec(message) ?? [];
  equal(Deno.readTextFileSync(file), "one\ntwo\n");
  await Deno.remove(dirname(file), { recursive: true });
  equal(/as it was$/.test(await failed("exit 1")), true);
  equal(/as it was$/.test(await failed('rm "$1"; exit 1')), true);
});
