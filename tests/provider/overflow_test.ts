import { deepStrictEqual as equal } from "node:assert/strict";
import { readErrorValue } from "@/provider/error_body.ts";
import { readOverflow } from "@/provider/overflow.ts";

/** Texts of providers.md section 8, with the window that each names. */
const OVERFLOWS: [string, number | undefined][] = [
  ["prompt is too long: 212345 tokens > 200000 maximum", 200_000],
  [
    "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000, decrease input length",
    200_000,
  ],
  ["Your input exceeds the context window of this model.", undefined],
  [
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
    128_000,
  ],
  [
    "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).",
    1_048_576,
  ],
  [
    "the prompt is longer than the context length currently available to the model; shorten it",
    undefined,
  ],
  ["exceeded max context length", undefined],
  ["the request exceeds the available context size (4096 tokens), try increasing it", 4_096],
  [
    "Trying to keep the first 9000 tokens when context the overflows. However, the prompt is greater than the context length of 4096",
    4_096,
  ],
  [
    "This endpoint's maximum context length is 8,192 tokens. However, you requested about 9000 tokens",
    8_192,
  ],
  ["Input exceeds the maximum allowed input length of 30000 tokens", 30_000],
  ["Please reduce the length of the messages or completion.", undefined],
  ["The input (9000 tokens) is longer than the model's context length (8192 tokens).", 8_192],
  ["This model's maximum prompt length is 131072 but the request contains 140000 tokens.", 131_072],
  [
    "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    32_768,
  ],
  ["Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)", 262_144],
  ["invalid params, context window exceeds limit", undefined],
  ["Prompt exceeds max length", undefined],
  ["Range of input length should be [1, 98304]", 98_304],
  ["litellm.ContextWindowExceededError: context window exceeded", undefined],
  ["max_tokens must be at least 1, got -186.", undefined],
];

Deno.test("readOverflow() recognises each provider's text and learns the window from it (check 39)", () => {
  for (const [message, windowTokens] of OVERFLOWS) {
    const found = readOverflow(readErrorValue({ error: { message } }), 400);
    equal(found, windowTokens === undefined ? {} : { windowTokens }, message);
  }
});

Deno.test("readOverflow() recognises codes whatever the text", () => {
  const codes = [
    { error: { message: "no", code: "context_length_exceeded" } },
    { error: { message: "no", type: "exceed_context_size_error" } },
    { error: { message: "no", code: 1261 } },
  ];
  for (const body of codes) {
    equal(readOverflow(readErrorValue(body), 400), {}, JSON.stringify(body));
  }
});

Deno.test("readOverflow() is not taken in by what only sounds like it (check 39)", () => {
  const others: [string, number][] = [
    ["Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000", 429],
    ["Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 7000", 413],
    [
      "This request would exceed your organization's rate limit of 30,000 input tokens per minute",
      429,
    ],
    ["Too many requests, maximum context length is 5", 400],
    ["max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens for x", 400],
    ["max_tokens is too large: 99999. This model supports at most 16384 completion tokens", 400],
    ["Invalid 'temperature': must be at most 2", 400],
    ["", 400],
  ];
  for (const [message, status] of others) {
    equal(readOverflow(readErrorValue({ error: { message } }), status), undefined, message);
  }
});
