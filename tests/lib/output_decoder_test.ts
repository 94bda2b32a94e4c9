import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { encode, type EncodingName } from "@/lib/encoding.ts";
import { OutputDecoder } from "@/lib/output_decoder.ts";

function bytesOf(text: string, encoding: EncodingName): Uint8Array {
  const encoded = encode(text, encoding);
  if (!encoded.ok) throw new Error(`${encoding} has no ${encoded.character}`);
  return encoded.bytes;
}

/** The text of bytes that come in pieces of so many. */
function decoded(bytes: Uint8Array, size: number, codePage?: EncodingName): [string, EncodingName] {
  const decoder = new OutputDecoder(codePage);
  let text = "";
  for (let at = 0; at < bytes.length; at += size) {
    text += decoder.decode(bytes.subarray(at, at + size));
  }
  return [text + decoder.end(), decoder.encoding];
}

Deno.test("OutputDecoder prints a Hangul character right that is split over reads", () => {
  for (const size of [1, 2, 3, 4, 5, 100]) {
    equal(decoded(bytesOf("추측: 가나다 🎉\n", "utf-8"), size), ["추측: 가나다 🎉\n", "utf-8"]);
  }
});

Deno.test("OutputDecoder takes the code page for the rest once UTF-8 is wrong", () => {
  const text = "ready\n가격을 입력하세요: ";
  for (const size of [2, 3, 7, 100]) {
    equal(decoded(bytesOf(text, "euc-kr"), size, "euc-kr"), [text, "euc-kr"], `${size}`);
  }
  const decoder = new OutputDecoder("euc-kr");
  decoder.decode(bytesOf("가", "euc-kr"));
  equal(decoder.encode("나"), { ok: true, bytes: bytesOf("나", "euc-kr") });
  ok(!decoder.encode("🎉").ok);
});

Deno.test("OutputDecoder leaves the lines alone that were UTF-8 before another encoding came", () => {
  const legacy = "가격을 입력하세요. 이름은 무엇입니까?\n";
  const bytes = new Uint8Array([
    ...bytesOf("한글\n둘째 줄 🎉\n", "utf-8"),
    ...bytesOf(legacy, "euc-kr"),
  ]);
  for (const codePage of [undefined, "euc-kr"] as const) {
    equal(decoded(bytes, 1_000, codePage), [`한글\n둘째 줄 🎉\n${legacy}`, "euc-kr"]);
  }
});

Deno.test("OutputDecoder recognises legacy text without being told", () => {
  const text = "가격을 입력하세요. 이름은 무엇입니까?\n";
  equal(decoded(bytesOf(text, "euc-kr"), 1_000), [text, "euc-kr"]);
});

Deno.test("OutputDecoder shows single broken bytes as such and stays with UTF-8", () => {
  const bytes = Uint8Array.of(...bytesOf("가나다라마바사 아자차카 ", "utf-8"), 0xff, 0x41);
  equal(decoded(bytes, 1_000), ["가나다라마바사 아자차카 \ufffdA", "utf-8"]);
  equal(decoded(Uint8Array.of(0x41, 0xed, 0x95), 1), ["A\ufffd", "utf-8"]);
});

Deno.test("OutputDecoder gives back UTF-8 text however it is cut", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 30 });
  fc.assert(fc.property(text, fc.integer({ min: 1, max: 9 }), (value, size) => {
    equal(decoded(new TextEncoder().encode(value), size)[0], value.toWellFormed());
  }));
});

Deno.test("OutputDecoder stops asking what the encoding of noise is", () => {
  let seed = 1;
  const noise = Uint8Array.from({ length: 70_000 }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed >>> 16;
  });
  const korean = bytesOf("가격을 입력하세요. 이름은 무엇입니까?\n", "euc-kr");
  const fresh = new OutputDecoder();
  fresh.decode(korean);
  equal(fresh.encoding, "euc-kr");
  const tired = new OutputDecoder();
  tired.decode(noise);
  equal(tired.encoding, "utf-8");
  equal([tired.decode(korean).includes("\ufffd"), tired.encoding], [true, "utf-8"]);
});
