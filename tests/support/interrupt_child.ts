/**
 * Begins to read a reply, collects garbage, and interrupts: prints what the reader noticed and whether in time. A
 * process of its own, because collecting on demand is a flag of the engine.
 */
import { Http } from "@/provider/http.ts";
import { readBytes } from "@/provider/lines.ts";
import { Watchdog } from "@/provider/watchdog.ts";

const person = new AbortController();
using http = new Http({ env: {}, offline: true });
using watchdog = new Watchdog({ firstTokenMs: 60_000, idleMs: 60_000 }, person.signal);
const bytes = await begin(Deno.args[0] ?? "");
await bytes.next();
const going = bytes.next().then(() => "it went on", (error: Error) => error.message);
for (let times = 0; times < 5; times += 1) {
  Reflect.get(globalThis, "gc")();
  await new Promise((resolve) => setTimeout(resolve, 10));
}
const started = performance.now();
person.abort(new Error("stopped"));
const late = new Promise((resolve) => setTimeout(resolve, 1_000, "it did not notice"));
const noticed = await Promise.race([going, late]);
const text = JSON.stringify({ noticed, inTime: performance.now() - started < 100 });
Deno.stdout.writeSync(new TextEncoder().encode(text));
Deno.exit(0);

/** In a function of its own, so that nothing but the body is kept of the reply. */
async function begin(url: string): Promise<AsyncGenerator<Uint8Array>> {
  const { body } = await http.send({ url, headers: {} }, watchdog.signal);
  if (body === null) throw new Error("The reply has no body");
  return readBytes(body, watchdog.signal);
}
