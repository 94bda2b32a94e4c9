import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { readKeyFile } from "@/settings/key_file.ts";
import { loadSettings } from "@/settings/store.ts";
import { KeyMap } from "@/terminal/full/key_map.ts";
import { withWorkspace } from "../support/workspace.ts";

Deno.test("readKeyFile() takes a key, several, or none for an action", () => {
  equal(
    readKeyFile(
      `{"viewer": "ctrl+v", // mine\n"mode": ["f2", "ctrl+x m"], "rail": null, "help": [],}`,
      "k",
    ),
    {
      entries: ["viewer=ctrl+v", "mode=f2", "rail=none", "help=none"],
      problems: [
        `k:2: "ctrl+x m" is no key that mode can have, such as "ctrl+v" or "f2"; it is ignored`,
      ],
    },
  );
});

Deno.test("readKeyFile() names the line, and the action that was probably meant", () => {
  const text =
    `{\n  "vewer": "f2",\n  "send": "f3",\n  "mode": "ctrl+c",\n  "rail": 5,\n  "viewer": "f4",\n  "undo": "f4"\n}`;
  const { entries, problems } = readKeyFile(text, "keybindings.json");
  equal(entries, ["viewer=f4"]);
  equal(problems.map((problem) => problem.replace(/those that .*;/, "…;")), [
    `keybindings.json:2: "vewer" is no action that can have another key; did you mean "viewer"?; it is ignored`,
    `keybindings.json:3: "send" is no action that can have another key; …; it is ignored`,
    `keybindings.json:4: "ctrl+c" is no key that mode can have, such as "ctrl+v" or "f2"; it is ignored`,
    `keybindings.json:5: 5 is no key that rail can have, such as "ctrl+v" or "f2"; it is ignored`,
    `keybindings.json:7: "f4" is given to viewer already; it is ignored`,
  ]);
});

Deno.test("loadSettings() puts the file under KEYS, and ignores one that is broken", async () => {
  await withWorkspace(async (dir) => {
    const [file, keyFile] = [join(dir, "settings.json"), join(dir, "keybindings.json")];
    const load = async () => await loadSettings({ file, keyFile });
    equal((await load()).store.current.KEYS, []);
    await Deno.writeTextFile(keyFile, `{"viewer": "f2", "mode": "f3", "help": null}`);
    const alone = (await load()).store;
    equal([alone.current.KEYS, alone.origin("KEYS")], [
      ["viewer=f2", "mode=f3", "help=none"],
      "file",
    ]);
    equal(alone.current.KEYS, alone.current.KEYS);
    const keys = new KeyMap(() => alone.current.KEYS);
    equal(["f2", "f3", "?", "ctrl+o"].map((key) => keys.action("input", key)), [
      "viewer",
      "mode",
      undefined,
      undefined,
    ]);
    match(keys.help(["input"]), /none +on an empty input: these keys/);
    await alone.set("KEYS", "mode=f5");
    equal(alone.current.KEYS, ["viewer=f2", "help=none", "mode=f5"]);
    equal((await load()).store.current.KEYS, ["viewer=f2", "help=none", "mode=f5"]);
    for (const broken of ["{", "[]", "7"]) {
      await Deno.writeTextFile(keyFile, broken);
      const { store, notices } = await load();
      equal(store.current.KEYS, ["mode=f5"]);
      match(notices[0] ?? "", /keybindings\.json" is ignored: it is not JSON/);
    }
  });
});
