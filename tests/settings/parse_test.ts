import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { formatSetting, isSameValue, settingNames, splitAssignment } from "@/settings/names.ts";
import { checkValue, parseSetting } from "@/settings/parse.ts";
import { DEFAULT_SETTINGS } from "@/settings/settings.ts";

Deno.test("parseSetting() reads a text by the type of the setting, its name in any case", () => {
  const cases: readonly [name: string, text: string, value: unknown][] = [
    ["num_ctx", " 32768 ", 32768],
    ["NUM_CTX", "0", 0],
    ["NUM_CTX", "007", 7],
    ["Show_Thinking", "Yes", true],
    ["SHOW_THINKING", "n", false],
    ["SHOW_THINKING", "0", false],
    ["CMD_IDLE_TIMEOUT", ".5", 0.5],
    ["CMD_IDLE_TIMEOUT", "2.", 2],
    ["CMD_IDLE_TIMEOUT", "3", 3],
    ["MCP_TRUSTED_SERVERS", "", []],
    ["MCP_TRUSTED_SERVERS", " a ,, b", ["a", "b"]],
    ["SEARXNG_URL", "", ""],
    ["SEARXNG_URL", "HTTPS://search.local/x", "HTTPS://search.local/x"],
  ];
  for (const [name, text, value] of cases) {
    const parsed = parseSetting(name, text);
    equal(parsed.kind === "value" ? parsed.value : parsed, value, `${name} ${text}`);
  }
});

Deno.test("parseSetting() refuses what is not of the setting's type, and says what would be", () => {
  const number =
    'Cannot set NUM_CTX to "?": it takes a whole number, 0 or more; the default is 65536';
  const refused: readonly [name: string, texts: readonly string[], problem: string][] = [
    [
      "NUM_CTX",
      [
        "",
        "lots",
        "-1",
        "1.5",
        "1e3",
        "0x10",
        "+5",
        "NaN",
        "Infinity",
        "1 000",
        "99999999999999999999",
      ],
      number,
    ],
    [
      "CMD_IDLE_TIMEOUT",
      ["nan", "inf", "Infinity", "-0.5", "1e400", "1,5", "."],
      'Cannot set CMD_IDLE_TIMEOUT to "?": it takes a number, 0 or more; the default is 0.6',
    ],
    [
      "SHOW_THINKING",
      ["maybe", "", "2", "onn"],
      'Cannot set SHOW_THINKING to "?": it takes on or off; the default is off',
    ],
    [
      "SEARXNG_URL",
      ["localhost:8888", "ftp://x", "http://", "http://a b"],
      'Cannot set SEARXNG_URL to "?": it takes an http:// or https:// address; the default is (empty)',
    ],
  ];
  for (const [name, texts, problem] of refused) {
    for (const text of texts) {
      equal(parseSetting(name, text), { kind: "refused", problem: problem.replace("?", text) });
    }
  }
});

Deno.test("parseSetting() knows the words that put a default back", () => {
  for (const text of ["default", "RESET", " Default "]) {
    equal(parseSetting("num_ctx", text), { kind: "reset", name: "NUM_CTX" });
  }
});

Deno.test("parseSetting() refuses names that are no settings, and names a near one", () => {
  const problem = (name: string) => {
    const parsed = parseSetting(name, "1");
    return parsed.kind === "refused" ? parsed.problem : parsed;
  };
  equal(problem("NUM_CTXX"), 'No setting is named "NUM_CTXX"; did you mean NUM_CTX?');
  equal(problem("auto_verfy"), 'No setting is named "auto_verfy"; did you mean AUTO_VERIFY?');
  equal(problem("NO_SUCH"), 'No setting is named "NO_SUCH"; /set lists them all');
  equal(problem("constructor"), 'No setting is named "constructor"; /set lists them all');
  equal(problem("__proto__"), 'No setting is named "__proto__"; /set lists them all');
  equal(
    problem("model"),
    "MODEL is not changed as a setting: /model and /connect choose the model, and -m does for one run",
  );
});

Deno.test("parseSetting() reads every default back as formatSetting() writes it", () => {
  for (const name of settingNames()) {
    const value = DEFAULT_SETTINGS[name];
    if (name === "MODEL" || value === "" || formatSetting(value) === "(none)") continue;
    equal(parseSetting(name, formatSetting(value)), { kind: "value", name, value });
  }
});

Deno.test("parseSetting() never gives a setting a value that it cannot hold", () => {
  const anyName = fc.constantFrom(...settingNames());
  fc.assert(fc.property(anyName, fc.string({ unit: "binary" }), (name, text) => {
    const parsed = parseSetting(name, text);
    if (parsed.kind !== "value") return;
    ok(isSameValue(checkValue(parsed.name, parsed.value) ?? "", parsed.value));
    equal(typeof parsed.value, typeof DEFAULT_SETTINGS[name]);
  }));
});

Deno.test("checkValue() takes from a file only what has the setting's type", () => {
  equal(checkValue("NUM_CTX", 5), 5);
  equal(checkValue("MCP_TRUSTED_SERVERS", ["a"]), ["a"]);
  for (const value of ["5", -1, 1.5, null, undefined, true, [5], {}]) {
    equal(checkValue("NUM_CTX", value), undefined);
  }
  for (const value of [0, 1, "on", null]) equal(checkValue("SHOW_THINKING", value), undefined);
  equal(checkValue("MCP_TRUSTED_SERVERS", ["a", 1]), undefined);
});

Deno.test("splitAssignment() splits at the first equals sign", () => {
  equal(splitAssignment("SEARXNG_URL=http://x/?a=b"), ["SEARXNG_URL", "http://x/?a=b"]);
  equal(splitAssignment("NAME ="), ["NAME", ""]);
  equal(splitAssignment("NAME"), undefined);
  equal(splitAssignment("=5"), undefined);
});
