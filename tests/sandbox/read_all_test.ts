import { ok } from "node:assert/strict";
import { pump } from "@/sandbox/read_all.ts";

Deno.test("pump() lets timers run while there is always more to read, and that takes long", async () => {
  let pieces = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      pieces += 1;
      if (pieces === 20) controller.close();
      else controller.enqueue(new Uint8Array(1));
    },
  });
  const seenAt: number[] = [];
  const timer = setInterval(() => seenAt.push(pieces));
  await pump(stream.getReader(), () => {
    for (const from = performance.now(); performance.now() - from < 20;);
  });
  clearInterval(timer);
  ok(seenAt.length >= 3, `${seenAt}`);
});
