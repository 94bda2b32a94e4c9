import { deepStrictEqual as equal, ok } from "node:assert/strict";
import * as z from "zod";
import { DEFAULT_SETTINGS, limitOf, SETTINGS } from "@/settings/settings.ts";

/** The defaults that are promised, written down a second time on purpose: changing one is a decision. */
const PROMISED = {
  MODEL: "gemma4:e4b",
  NUM_CTX: 65536,
  NUM_PREDICT: 6144,
  NATIVE_TOOLS: true,
  MAX_TOOL_CALLS: 10,
  AUTO_ALLOW: false,
  PERMISSIONS_ENABLED: true,
  GIT_AUTO_COMMIT: true,
  AUTO_VERIFY: true,
  VERIFY_TIMEOUT: 90,
  VERIFY_OUTPUT_CHARS: 2000,
  DEEPTHINK: false,
  DEEPTHINK_MAX_PASSES: 3,
  SUBAGENT_MAX_TURNS: 12,
  SUBAGENT_MAX_DEPTH: 1,
  SHOW_THINKING: false,
  STORE_THINKING: false,
  CHANNEL_ENABLED: true,
  CHANNEL_CLAIMS: true,
  CHANNEL_CLAIM_TTL: 1800,
  CHANNEL_WRITE_TTL: 300,
  CHANNEL_STALE: 120,
  CHANNEL_POLL_SECONDS: 2,
  MENTION_MAX_CHARS: 40000,
  AUTO_TITLE: true,
  SAVE_CHAT_HISTORY: true,
  CMD_TIMEOUT: 120,
  CMD_WAIT_TIMEOUT: 8,
  VM_TIMEOUT: 20,
  VM_OUTPUT_CHARS: 4000,
  VM_MEMORY_MB: 512,
  VM_FILE_MB: 64,
  MCP_ENABLED: true,
  MCP_LAZY_TOOLS: true,
  MCP_LAZY_MIN_TOOLS: 6,
  SEARXNG_URL: "",
  CMD_IDLE_TIMEOUT: 0.6,
  CMD_IDLE_GRACE: 2.5,
  CMD_OUTPUT_CHARS: 6000,
  CMD_MAX_SESSIONS: 3,
  CMD_SESSION_LIFETIME: 900,
  SESSION_TITLE_MAX_LEN: 60,
  SESSION_SLUG_MAX_LEN: 48,
  SEARCH_MAX_RESULTS: 5,
  SEARCH_CANDIDATES: 10,
  SEARCH_FETCH_PAGES: 8,
  SEARCH_PAGE_CHARS: 60000,
  SEARCH_PASSAGE_CHARS: 900,
  SEARCH_RESULT_CHARS: 6000,
  SEARCH_SOURCE_TIMEOUT: 12,
  SEARCH_FETCH_TIMEOUT: 10,
  SEARCH_TOTAL_TIMEOUT: 25,
  MCP_STARTUP_TIMEOUT: 30,
  MCP_CALL_TIMEOUT: 120,
  MCP_HTTP_TIMEOUT: 60,
  MCP_RESULT_CHARS: 8000,
  MCP_MAX_TOOLS_PER_SERVER: 40,
  MCP_TRUSTED_SERVERS: [],
  MCP_AUTO_APPROVE_READONLY: false,
  FILE_MAX_DISPLAY_LENGTH: 1000,
  RETURN_ALL_FILE_CONTENT: true,
  TDD_VERIFY_FAILURES: 6,
  PLANMODE: false,
  HEADLESS_MAX_TOOL_CALLS: 200,
  STREAM_IDLE_TIMEOUT: 120,
  FIRST_TOKEN_TIMEOUT: 600,
  TEXT_CALLS_FROM_NATIVE: true,
  MAX_OUTPUT_TOKENS: 32000,
  MCP_STARTUP_WAIT: 2,
};

Deno.test("DEFAULT_SETTINGS are the promised ones", () => {
  const names = new Set(Object.keys(PROMISED));
  const actual = Object.entries(DEFAULT_SETTINGS).filter(([name]) => names.has(name));
  equal(Object.fromEntries(actual), PROMISED);
});

Deno.test("SETTINGS describes every setting in a sentence, with a unit where it is a quantity", () => {
  for (const [name, { about }] of Object.entries(SETTINGS)) {
    ok(/^[A-Z/].{10,}[^.]$/.test(about), name);
    const isAmount = /(_CHARS|_LENGTH|_LEN|_TTL|_TIMEOUT|_MB|_SECONDS|_DAYS|_TOKENS)$/.test(name);
    if (isAmount) {
      ok(/, in (characters|seconds|MB|days|tokens)/.test(about), name);
    }
  }
});

Deno.test("SETTINGS takes each default for a value of its setting", () => {
  for (const [name, { byDefault, schema }] of Object.entries(SETTINGS)) {
    equal(schema(z).parse(byDefault), byDefault, name);
  }
});

Deno.test("limitOf() takes 0 as no limit", () => {
  equal([limitOf(0), limitOf(1), limitOf(10)], [Infinity, 1, 10]);
});
