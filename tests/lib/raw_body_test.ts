import assert from "node:assert/strict";
import { rawBodyNewline, withoutBlockBreaks } from "@/lib/raw_body.ts";

Deno.test("rawBodyNewline() ends a new file's body with a newline", () => {
  assert.equal(rawBodyNewline("x = 1", undefined), "x = 1\n");
  assert.equal(rawBodyNewline("x = 1", true), "x = 1\n");
});

Deno.test("rawBodyNewline() adds none where the replaced file had none", () => {
  assert.equal(rawBodyNewline("x = 1", false), "x = 1");
});

Deno.test("rawBodyNewline() adds no second one, and none to nothing", () => {
  assert.equal(rawBodyNewline("x\n", undefined), "x\n");
  assert.equal(rawBodyNewline("x\n\n", true), "x\n\n");
  assert.equal(rawBodyNewline("", undefined), "");
});

Deno.test("rawBodyNewline() takes the body's own line ending", () => {
  assert.equal(rawBodyNewline("a\r\nb", undefined), "a\r\nb\r\n");
  assert.equal(rawBodyNewline("a\r\nb\nc", undefined), "a\r\nb\nc\n");
});

Deno.test("withoutBlockBreaks() takes off one line break at each end and nothing else", () => {
  assert.equal(withoutBlockBreaks("\nx\n"), "x");
  assert.equal(withoutBlockBreaks("\r\n\r\nx\r\n"), "\r\nx");
  assert.equal(withoutBlockBreaks("  x \n\n"), "  x \n");
  assert.equal(withoutBlockBreaks("x"), "x");
  assert.equal(withoutBlockBreaks("\n"), "");
});
