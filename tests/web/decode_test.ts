import { deepStrictEqual as equal } from "node:assert/strict";
import { encode, type EncodingName } from "@/lib/encoding.ts";
import { contentOf } from "@/web/decode.ts";

const bytes = (text: string, encoding: EncodingName = "utf-8") => {
  const encoded = encode(text, encoding);
  if (!encoded.ok) throw new Error(`${encoding} has no ${encoded.character}`);
  return encoded.bytes;
};

const KOREAN = "<html><head><meta charset='euc-kr'></head>안녕하세요</html>";

Deno.test("contentOf() takes the encoding from the mark, the header, the page, and else from the bytes", () => {
  const cases: [Uint8Array, string | null, string, string][] = [
    [bytes("grüß"), "text/plain", "text", "grüß"],
    [bytes("привет", "koi8-r"), "text/plain; charset=KOI8-R", "text", "привет"],
    [Uint8Array.of(0x9a, 0x9e), 'text/plain; charset="windows-1250"', "text", "šž"],
    [bytes(KOREAN, "euc-kr"), "text/html", "html", KOREAN],
    // The header counts more than the page.
    [bytes(KOREAN), "text/html; charset=utf-8", "html", KOREAN],
    [bytes("\ufeffwide", "utf-16le"), "text/plain", "text", "wide"],
    [bytes("\ufeffwide", "utf-16le"), null, "text", "wide"],
    [
      bytes("<!-- x --><!DOCTYPE html><html>x</html>"),
      null,
      "html",
      "<!-- x --><!DOCTYPE html><html>x</html>",
    ],
    [bytes('{"a":1}'), "application/vnd.api+json", "text", '{"a":1}'],
    [bytes("plain"), "application/octet-stream", "text", "plain"],
  ];
  for (const [body, type, kind, text] of cases) equal(contentOf(body, type), { kind, text });
});

Deno.test("contentOf() names what is no text", () => {
  equal(contentOf(bytes("%PDF-1.7"), "application/pdf"), {
    kind: "other",
    type: "application/pdf",
  });
  equal(contentOf(Uint8Array.of(1, 0, 2), null), { kind: "other", type: "no type, not text" });
  const binary = Uint8Array.from({ length: 9_000 }, (_, at) => at % 256);
  equal(contentOf(binary, "text/plain"), { kind: "other", type: "text/plain that is binary" });
  equal(contentOf(bytes("a\0b"), "text/plain"), { kind: "text", text: "a\0b" });
});
