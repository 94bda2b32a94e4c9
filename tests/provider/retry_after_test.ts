import { deepStrictEqual as equal } from "node:assert/strict";
import { readErrorValue } from "@/provider/error_body.ts";
import { durationMs, serverDelayMs } from "@/provider/retry_after.ts";

const NOW = Date.UTC(2026, 10, 29, 12);
const date = (ms: number) => new Date(NOW + ms).toUTCString();

function delay(headers: Record<string, string>, body: unknown = ""): number | undefined {
  return serverDelayMs(new Headers(headers), readErrorValue(body), NOW);
}

Deno.test("serverDelayMs() takes the first way of saying it that can be used (check 37)", () => {
  equal(delay({ "retry-after-ms": "1500", "retry-after": "9" }), 1_500);
  equal(delay({ "retry-after": "2" }), 2_000);
  equal(delay({ "retry-after": " 0.25 " }), 250);
  equal(delay({ "retry-after": date(30_000) }), 30_000);
  equal(delay({ "retry-after-ms": "soon", "retry-after": "2" }), 2_000);
});

Deno.test("serverDelayMs() reads Gemini's details and the texts of others", () => {
  const details = [{ "@type": "type.googleapis.com/google.rpc.Help" }, {
    "@type": "type.googleapis.com/google.rpc.RetryInfo",
    retryDelay: "34.4s",
  }];
  equal(delay({}, { error: { message: "x", details } }), 34_400);
  const texts: [string, number | undefined][] = [
    ["Please try again in 5.289s.", 5_289],
    ["Please retry in 26.66s", 26_660],
    ["Rate limit reached. Please try again in 1m2.5s. Visit", 62_500],
    ["try again in 20ms", 20],
    ["Try again in 20 seconds", 20_000],
    ["retry after 2 minutes", 120_000],
    ["try again later", undefined],
  ];
  for (const [text, expected] of texts) equal(delay({}, { error: text }), expected, text);
});

Deno.test("serverDelayMs() reads when Anthropic's empty buckets are full again", () => {
  const at = (ms: number) => new Date(NOW + ms).toISOString();
  equal(
    delay({
      "anthropic-ratelimit-requests-remaining": "0",
      "anthropic-ratelimit-requests-reset": at(4_000),
      "anthropic-ratelimit-tokens-remaining": "0",
      "anthropic-ratelimit-tokens-reset": at(9_000),
      "anthropic-ratelimit-input-tokens-remaining": "12",
      "anthropic-ratelimit-input-tokens-reset": at(60_000),
    }),
    9_000,
  );
});

Deno.test("serverDelayMs() counts to a date by the server's own clock, where it says what time it is", () => {
  const day = 86_400_000;
  equal(delay({ "retry-after": date(day + 30_000), date: date(day) }), 30_000);
  equal(delay({ "retry-after": date(30_000 - day), date: date(-day) }), 30_000);
  equal(delay({ "retry-after": date(30_000), date: "today" }), 30_000);
});

Deno.test("serverDelayMs() ignores what is zero, negative, past or unreadable (check 37)", () => {
  const useless = [
    { "retry-after": "0" },
    { "retry-after": "-3" },
    { "retry-after": date(-5_000) },
    { "retry-after": "tomorrow" },
    { "retry-after": "" },
    { "retry-after-ms": "NaN" },
    { "retry-after": "Infinity" },
  ];
  for (const headers of useless) equal(delay(headers), undefined, JSON.stringify(headers));
});

Deno.test("durationMs() reads durations and nothing else", () => {
  const cases: [string, number | undefined][] = [
    ["20ms", 20],
    ["6m0s", 360_000],
    ["1h2m3.5s", 3_723_500],
    ["34.4s", 34_400],
    ["34", undefined],
    ["", undefined],
    ["5 s", undefined],
  ];
  for (const [text, expected] of cases) equal(durationMs(text), expected, text);
});
