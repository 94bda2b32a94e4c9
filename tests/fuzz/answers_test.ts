/** What servers and programs answer, with anything in the place of any part of it: it is read or refused, and no number is odd. */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { answerOf } from "@/hooks/answer.ts";
import { HOOK_EVENTS } from "@/hooks/event.ts";
import { imageFacts } from "@/lib/image_kind.ts";
import { parsedJsonc } from "@/lib/jsonc.ts";
import * as anthropic from "@/provider/anthropic_models.ts";
import * as bedrock from "@/provider/bedrock_models.ts";
import * as gemini from "@/provider/gemini_models.ts";
import type { ModelInfo } from "@/provider/model_source.ts";
import * as ollama from "@/provider/ollama_models.ts";
import * as openai from "@/provider/openai_models.ts";
import type { ModelPage } from "@/provider/server.ts";
import { Capture } from "@/sandbox/capture.ts";
import { parseBsd, parseLinux } from "@/sandbox/process_table.ts";
import { parseDf, parsePs, parseStatus } from "@/sandbox/system_info.ts";
import { matchSessions } from "@/session/find.ts";
import { readKeyFile } from "@/settings/key_file.ts";
import { RowReader } from "@/workspace/search_ripgrep_output.ts";
import corpus from "../testdata/fuzz.json" with { type: "json" };
import { fc } from "../support/property.ts";

const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(null, "", 0, -1, 1e300, [], {}, true, "__proto__"),
);

/** A value of JSON with something else in the place of one of its parts, or with nothing there. */
function spoiled(value: unknown): fc.Arbitrary<unknown> {
  const parts = partsOf(value);
  return fc.tuple(fc.nat(parts.length - 1), fc.oneof(odd, fc.constant(undefined))).map(
    ([at, other]) => replaced(value, parts[at] ?? [], other),
  );
}

function partsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([key, part]) => partsOf(part, [...path, key]))];
}

function replaced(value: unknown, [key, ...rest]: readonly string[], other: unknown): unknown {
  if (key === undefined) return other;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[key] = replaced(copy[key], rest, other);
  return copy;
}

function isCount(count: number | undefined): boolean {
  return count === undefined || (Number.isFinite(count) && count > 0);
}

function checkInfo({ name, windowTokens, outputTokensMax }: ModelInfo): void {
  equal(typeof name, "string");
  ok(isCount(windowTokens), `window ${windowTokens}`);
  ok(isCount(outputTokensMax), `output ${outputTokensMax}`);
}

const LISTS: readonly [
  name: string,
  reply: unknown,
  read: (value: unknown) => ModelPage | undefined,
][] = [
  [
    "anthropic",
    {
      data: [{
        id: "claude-x",
        max_input_tokens: 200_000,
        max_tokens: 64_000,
        capabilities: {
          thinking: { types: { adaptive: { supported: true } } },
          effort: { high: { supported: true } },
        },
      }],
      has_more: true,
      last_id: "claude-x",
    },
    anthropic.readModelPage,
  ],
  [
    "gemini",
    {
      models: [{
        name: "models/g",
        inputTokenLimit: 1_000,
        outputTokenLimit: 100,
        supportedGenerationMethods: ["generateContent"],
        thinking: true,
      }],
      nextPageToken: "t",
    },
    gemini.readModelPage,
  ],
  [
    "openai",
    {
      data: [{
        id: "m",
        context_length: 1_000,
        max_model_len: 1_000,
        top_provider: { context_length: 10, max_completion_tokens: 5 },
        meta: { n_ctx_train: 10 },
        supported_parameters: ["tools"],
        architecture: { input_modalities: ["image"] },
        capabilities: { vision: true },
      }],
    },
    openai.readModelList,
  ],
  ["ollama", { models: [{ name: "m", details: { parameter_size: "7.6B" } }] }, ollama.readTags],
  [
    "bedrock",
    {
      modelSummaries: [{
        modelId: "anthropic.claude",
        inferenceTypesSupported: ["ON_DEMAND"],
        inputModalities: ["TEXT"],
        modelLifecycle: { status: "ACTIVE" },
      }],
    },
    bedrock.readModelList,
  ],
  [
    "bedrock, profiles",
    {
      inferenceProfileSummaries: [{
        inferenceProfileId: "us.anthropic.claude",
        status: "ACTIVE",
      }],
      nextToken: "t",
    },
    bedrock.readProfilePage,
  ],
];

for (const [name, reply, read] of LISTS) {
  Deno.test(`a list of models by ${name} is read or refused, whatever is wrong in it`, () => {
    ok((read(reply)?.models.length ?? 0) > 0);
    fc.assert(
      fc.property(fc.oneof(spoiled(reply), odd), (value) => {
        read(value)?.models.forEach(checkInfo);
      }),
      { numRuns: 500 },
    );
  });
}

Deno.test("an answer of a hook is understood, or said to be broken, at every event", () => {
  const whole = {
    continue: true,
    systemMessage: "m",
    decision: "block",
    reason: "r",
    hookSpecificOutput: {
      permissionDecision: "allow",
      permissionDecisionReason: "p",
      updatedInput: { a: 1 },
      decision: { behavior: "deny", message: "d" },
      additionalContext: "c",
    },
  };
  const printed = fc.oneof(
    spoiled(whole).map((value) => JSON.stringify(value) ?? ""),
    fc.constantFrom(...corpus),
  );
  const captured = (text: string) => {
    const capture = new Capture(2 ** 20);
    capture.add(new TextEncoder().encode(text));
    return capture;
  };
  fc.assert(
    fc.property(fc.constantFrom(...HOOK_EVENTS), printed, fc.integer({ min: 0, max: 3 }), (
      event,
      text,
      code,
    ) => {
      const answer = answerOf(event, {
        ended: "exited",
        code,
        ms: 1,
        stdout: captured(text),
        stderr: captured("why"),
      });
      if (code !== 0) equal(answer.kind, code === 2 ? "blocked" : "broken");
      else if (answer.kind === "said") equal(typeof answer.said.reason, "string");
      else equal(answer.kind, "broken");
    }),
    { numRuns: 500 },
  );
});

/** The beginnings of files that are images, or nearly. */
const MAGIC = [
  "\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
  "GIF89a",
  "RIFF\0\0\0\0WEBPVP8 ",
  "RIFF\0\0\0\0WEBPVP8L",
]
  .concat("RIFF\0\0\0\0WEBPVP8X", "\xff\xd8\xff\xe0\0\0\xff\xff", "\xff\xd8\xff\xc0\0\x10");

Deno.test("the size of an image is read, or it is none, whatever comes behind its beginning", () => {
  const bytes = fc.tuple(fc.constantFrom(...MAGIC), fc.uint8Array({ maxLength: 60 })).map((
    [magic, rest],
  ) => new Uint8Array([...Array.from(magic, (char) => char.charCodeAt(0)), ...rest]));
  fc.assert(
    fc.property(bytes, (file) => {
      const facts = imageFacts(file);
      if (facts !== undefined) ok(facts.width >= 0 && facts.height >= 0);
    }),
    { numRuns: 1_000 },
  );
});

const LINES = [
  "1 (sh) S 0 1 1 0",
  "= marked",
  "/proc/7/environ",
  "  12   1  12 Ss  1-02:03:04",
  "4096 7 a b",
]
  .concat("/proc/7/status:Name: x", "/proc/7/status:VmRSS: 5 kB", "/dev/sda 100 50 -3 5% /", ") (");

Deno.test("tables of processes, disks and memory are read line by line, whatever stands in them", () => {
  const text = fc.array(
    fc.oneof(fc.constantFrom(...LINES, ...corpus), fc.string({ maxLength: 20 })),
  )
    .map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, (table) => {
      const lines = table.split("\n").length;
      ok(parseLinux(table).rows.length <= lines);
      ok(parseBsd(table).length <= lines);
      ok(parsePs(table).every(({ pid, bytes }) => pid >= 0 && bytes >= 0));
      parseStatus(table);
      try {
        ok(Number.isFinite(parseDf(table).totalBytes));
      } catch (error) {
        ok(error instanceof Error && !(error instanceof TypeError));
      }
    }),
    { numRuns: 500 },
  );
});

Deno.test("rows of ripgrep are the same hits, however they are cut", () => {
  const row = fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 9 }), fc.nat(500), fc.string()).map((
    [line, column, start, text],
  ) => `${line + 1}:${column}:${start}:${text.replaceAll("\n", " ")}\n`);
  const rows = fc.array(fc.oneof(row, fc.constantFrom(...corpus)), { maxLength: 12 });
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 9 }), (parts, cut) => {
      const bytes = new TextEncoder().encode(parts.join(""));
      const whole = new RowReader(5);
      whole.add(bytes);
      const pieces = new RowReader(5);
      for (let at = 0; at < bytes.length; at += cut) pieces.add(bytes.subarray(at, at + cut));
      equal(pieces.hits, whole.hits);
      ok(whole.hits.length <= 5);
    }),
    { numRuns: 300 },
  );
});

Deno.test("JSON with comments and trailing commas says what the JSON in it says", () => {
  const between = fc.constantFrom("", " ", "\n", "// a, } comment\n", "/* , ] */");
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.array(between, { minLength: 1, maxLength: 5 }),
      (value, gaps) => {
        let at = 0;
        const gap = () => gaps[at++ % gaps.length] ?? "";
        const written = JSON.stringify(value).replace(
          /"(?:[^"\\]|\\.)*"|[[\]{},:]/g,
          (token, offset: number, whole: string) => {
            if (token.startsWith('"')) return token;
            // A comma may stand behind the last one of a list.
            const isLast = /[\]}]/.test(token) && !/[[{]/.test(whole[offset - 1] ?? "");
            return `${gap()}${isLast ? `,${gap()}` : ""}${token}${gap()}`;
          },
        );
        equal(parsedJsonc(`${gap()}${written}${gap()}`), JSON.parse(JSON.stringify(value)));
      },
    ),
    { numRuns: 500 },
  );
  fc.assert(fc.property(fc.constantFrom(...corpus), fc.string(), (one, other) => {
    parsedJsonc(one + other);
    const { entries, problems } = readKeyFile(one + other, "keybindings.json");
    ok(entries.length + problems.length < 100);
  }));
});

Deno.test("a query means a session by its id or uid before any other", () => {
  const session = fc.record({ id: fc.string(), uid: fc.uuid(), title: fc.string() });
  fc.assert(
    fc.property(fc.array(session, { minLength: 1 }), fc.nat(), (sessions, index) => {
      const one = sessions[index % sessions.length];
      if (one === undefined) return;
      for (const query of [one.id, one.uid]) {
        const found = matchSessions(sessions, query);
        ok(
          found.every(({ id, uid }) =>
            id.normalize("NFC") === query.normalize("NFC") || uid === query
          ),
        );
        ok(found.length > 0);
      }
    }),
    { numRuns: 300 },
  );
});
