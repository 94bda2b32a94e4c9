import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { LinkedAbort } from "@/lib/linked_abort.ts";

Deno.test("LinkedAbort fires with the reason of whichever source fires first", () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const linked = new LinkedAbort(first.signal, second.signal);
  second.abort("second");
  first.abort("first");
  equal([linked.signal.aborted, linked.signal.reason], [true, "second"]);
});

Deno.test("LinkedAbort has fired from the start when a source has", () => {
  equal(new LinkedAbort(AbortSignal.abort("before")).signal.reason, "before");
});

Deno.test("LinkedAbort fires by itself and leaves its sources alone", () => {
  const source = new AbortController();
  const linked = new LinkedAbort(source.signal);
  linked.abort("own");
  equal([linked.signal.reason, source.signal.aborted], ["own", false]);
});

Deno.test("LinkedAbort does not fire once it has let go", () => {
  const source = new AbortController();
  const linked = new LinkedAbort(source.signal);
  linked[Symbol.dispose]();
  source.abort();
  ok(!linked.signal.aborted);
});
