import { deepStrictEqual as equal, ok, throws } from "node:assert/strict";
import { PersonError } from "@/protocol/error.ts";
import { writerTo } from "@/terminal/output.ts";

/** A stream that takes at most `most` bytes at a time, and throws what `faults` says before it takes any. */
function stream(most: number, faults: Error[] = []) {
  const taken: number[] = [];
  return {
    taken,
    writeSync(bytes: Uint8Array): number {
      const fault = faults.shift();
      if (fault !== undefined) throw fault;
      const part = bytes.subarray(0, most);
      taken.push(...part);
      return part.length;
    },
    text: () => new TextDecoder().decode(Uint8Array.from(taken)),
  };
}

Deno.test("writerTo() writes everything to a stream that takes a little at a time", () => {
  const slow = stream(3);
  writerTo(slow)("a text of several writes");
  equal(slow.text(), "a text of several writes");
});

Deno.test("writerTo() waits for a stream that is full, and loses nothing", () => {
  const full = () => new Deno.errors.WouldBlock("Resource temporarily unavailable");
  const slow = stream(4, [full(), full(), full()]);
  writerTo(slow)("nothing is lost");
  equal(slow.text(), "nothing is lost");
});

Deno.test("writerTo() is quiet once the reader is gone", () => {
  const gone = stream(9, [new Deno.errors.BrokenPipe("gone")]);
  const write = writerTo(gone);
  write("lost");
  write("lost too");
  equal(gone.text(), "");
});

Deno.test("writerTo() says once that nothing can be written, and is quiet where that is no failure", () => {
  const full = Object.assign(new Error("No space left on device"), { code: "ENOSPC" });
  const write = writerTo(stream(9, [full]));
  throws(() => write("x"), (error: unknown) => {
    ok(error instanceof PersonError);
    equal(error.message, "Cannot write to standard output: the disk is full");
    return true;
  });
  write("lost");
  writerTo(stream(9, [full]), { canFail: true })("x");
});
