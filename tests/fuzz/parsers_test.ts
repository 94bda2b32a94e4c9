/** Parsers of small texts from outside, with any text: they end, throw nothing of their own, and keep what they promise. */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { PersonError } from "@/protocol/error.ts";
import { readBudget } from "@/agent/budget.ts";
import { readHooks } from "@/hooks/declared.ts";
import { declaredIn, readServers } from "@/mcp/config.ts";
import { readPolicyToml } from "@/policy/policy_toml.ts";
import { allowsUrl, reachesUrl } from "@/policy/url_rule.ts";
import { readBaseUrl } from "@/provider/base_url.ts";
import { readErrorText } from "@/provider/error_body.ts";
import { readOverflow, readRoom } from "@/provider/overflow.ts";
import { durationMs } from "@/provider/retry_after.ts";
import { hostRuleText, isAbout, readHostRule } from "@/sandbox/egress/host_rule.ts";
import { readTarget } from "@/sandbox/egress/target.ts";
import { decodeRecord } from "@/session/decode.ts";
import { paletteEntry } from "@/settings/palette.ts";
import { diffCount, diffRows } from "@/terminal/full/diff_rows.ts";
import { readWebUrl, webUrlText } from "@/web/address.ts";
import { propertiesFor } from "@/workspace/editorconfig.ts";
import { parseStatus } from "@/workspace/git_status.ts";
import corpus from "../testdata/fuzz.json" with { type: "json" };
import { fc } from "../support/property.ts";

const PIECES = [
  ..."[]{}()\"'\\#=:,.*?@$%!|;-+/ \t\n\r\u0000\u2028",
  ...[
    "a",
    "b1",
    "가",
    "😀",
    "true",
    "null",
    "1",
    "-5",
    "999999",
    "1.5",
    "0x7f",
    "127.0.0.1",
    "::1",
  ],
  ...[
    "http://",
    "https://",
    "localhost",
    "example.org",
    ":443",
    "*.",
    "**",
    "%2e",
    "..",
    "//",
    "/*",
  ],
  ...["[[rules]]\n", "allow = ", "deny = ", "when = ", "default = ", '"run_cmd(*)"', "'''", '"""'],
  ...['{"hooks": ', '"PreToolUse"', '"matcher"', '"command"', '{"mcpServers": ', "${X}", "${X:-"],
  ...['{"error": ', '"message"', '"type"', "maximum context length is ", " tokens", "<html>", "</"],
  ...[
    "@@ -1,2 +3 @@\n",
    "--- ",
    "+++ ",
    "1 .M N... ",
    "# branch.",
    "[*.{js}]\n",
    "ms",
    "h",
    "per day",
  ],
  ...['{"v": 1, "at": "x", "event": ', '{"type": "message"', "}}"],
];

const texts: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join("")),
  fc.tuple(fc.constantFrom(...corpus), fc.constantFrom(...corpus)).map((two) => two.join("")),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.json(),
);

/** Every parser with any text, and with two of them. What it returns is checked where there is a promise. */
const PARSERS: Readonly<Record<string, (text: string, other: string) => void>> = {
  readBudget(text) {
    const read = readBudget(text);
    ok(read === undefined || (Number.isFinite(read.max) && read.max >= 0));
  },
  readHooks(text) {
    const { programs, problems } = readHooks({ text, label: "hooks.json", origin: "person" });
    ok(programs.every(({ command }) => typeof command === "string"));
    ok(problems.every((problem) => problem !== ""));
  },
  "declaredIn and readServers": (text) => {
    declaredIn(text);
    const file = { text, label: "mcp.json", origin: "person" } as const;
    readServers([file], { env: { X: "x" }, workspace: "/w" });
  },
  readPolicyToml(text) {
    try {
      readPolicyToml(text, "policy.toml");
    } catch (error) {
      if (!(error instanceof PersonError)) throw error;
      ok(error.message.includes("policy.toml"));
    }
  },
  "allowsUrl and reachesUrl": (text, other) => {
    if (allowsUrl(text, other)) ok(reachesUrl(text, other), "what is allowed is also reached");
  },
  readBaseUrl(text) {
    readBaseUrl(text);
  },
  "readErrorText, readOverflow and readRoom": (text) => {
    const body = readErrorText(text);
    ok(body.message.length < 5_000);
    readOverflow(body, 400);
    readRoom(body);
  },
  durationMs(text) {
    const ms = durationMs(text);
    ok(ms === undefined || ms >= 0);
  },
  "readHostRule, readTarget and isAbout": (text, other) => {
    const rule = readHostRule(text);
    if (rule === undefined) return;
    equal(readHostRule(hostRuleText(rule)), rule, "a rule that is printed is read back");
    const target = readTarget(other, 443);
    if (target !== undefined && isAbout(rule, target) && !rule.isBelow) {
      equal(rule.host, target.host);
    }
  },
  decodeRecord(text) {
    let value: unknown = text;
    try {
      value = JSON.parse(text);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    ok(["record", "foreign", "damaged"].includes(decodeRecord(value).kind));
  },
  paletteEntry(text) {
    paletteEntry(text);
  },
  "diffRows and diffCount": (text) => {
    const rows = diffRows(text);
    if (rows === undefined) return;
    const { added, removed } = diffCount(rows);
    ok(added + removed <= rows.length && rows.length <= text.split("\n").length);
  },
  "readWebUrl and webUrlText": (text) => {
    const url = readWebUrl(text);
    if (url !== undefined) equal(readWebUrl(webUrlText(text))?.href, url.href);
  },
  propertiesFor(text, other) {
    propertiesFor(other, text);
  },
  parseStatus(text) {
    const { staged, unstaged, untracked, unmerged } = parseStatus(text);
    ok([...staged, ...unstaged, ...untracked, ...unmerged].length <= 2 * text.split("\0").length);
  },
};

for (const [name, parse] of Object.entries(PARSERS)) {
  Deno.test(`${name}: any text is read or refused`, () => {
    for (const text of corpus) {
      for (const other of [text, "https://example.org/a"]) parse(text, other);
    }
    fc.assert(fc.property(texts, texts, parse), { numRuns: 400 });
  });
}
