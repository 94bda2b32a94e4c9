import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { BINDABLE, keyBinding } from "@/settings/key_binding.ts";
import { parseSetting } from "@/settings/parse.ts";
import { KeyMap, KEYS } from "@/terminal/full/key_map.ts";

Deno.test("KeyMap gives an action the keys that the person chose, at once and alone", () => {
  let entries: readonly string[] = [];
  const keys = new KeyMap(() => entries);
  const seen = () =>
    ["ctrl+o", "f2", "shift+tab", "ctrl+x ctrl+v"].map((key) => keys.action("input", key));
  equal(seen(), ["viewer", undefined, "mode", undefined]);
  entries = ["viewer=f2", "viewer=ctrl+x ctrl+v", "mode=ctrl+o"];
  equal(seen(), ["mode", "viewer", undefined, "viewer"]);
  ok(keys.isStart("input", "ctrl+x"));
  match(keys.help(), /F2, Ctrl\+X Ctrl\+V {2,}open the newest card/);
  equal(keys.action("choice", "ctrl+o"), "viewer");
  entries = [];
  equal(seen(), ["viewer", undefined, "mode", undefined]);
});

Deno.test("KeyMap takes a key from the action that had it", () => {
  const keys = new KeyMap(() => ["mode=ctrl+r"]);
  equal(keys.action("input", "ctrl+r"), "mode");
  equal(keys.rows.find(({ action }) => action === "search")?.keys, []);
});

Deno.test("keyBinding() knows every action that can be bound, and refuses what would lock a person in", () => {
  const known = KEYS.filter(({ where }) => where === "input").map(({ action }) => action);
  equal(BINDABLE.filter((action) => !known.some((one) => one === action)), []);
  equal(keyBinding("viewer=ctrl+v"), { action: "viewer", key: "ctrl+v" });
  equal(keyBinding("external=ctrl+x ctrl+e"), { action: "external", key: "ctrl+x ctrl+e" });
  const refused = [
    "mode=ctrl+c",
    "mode=enter",
    "mode=a",
    "interrupt=f2",
    "nothing=f2",
    "mode=",
    "mode",
    "mode=f2 escape",
  ];
  equal(refused.map(keyBinding), refused.map(() => undefined));
});

Deno.test("parseSetting() says how KEYS is written", () => {
  const refused = parseSetting("KEYS", "mode=ctrl+c");
  match(
    refused.kind === "refused" ? refused.problem : "",
    /takes entries like viewer=ctrl\+v separated/,
  );
  equal(parseSetting("KEYS", "mode=f2, viewer=ctrl+v").kind, "value");
});
