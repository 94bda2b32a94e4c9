/**
 * A process that writes to a session: `PATH COUNT` opens it and appends that many messages (0: without end), says
 * "open", then the number of each one that is on disk, and keeps the session until its standard input ends.
 */
import { SessionLog } from "@/session/log.ts";

const [path = "", count = "0"] = Deno.args;

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

try {
  const { log } = await SessionLog.open(path, { isRecording: () => true });
  say("open");
  for (let n = 1; count === "0" || n <= Number(count); n += 1) {
    const text = `${n} ${"x".repeat((n * 7919) % 5_000)}`;
    const content = [{ type: "text" as const, text }];
    log.append({ type: "message", message: { role: "user", content, origin: "person" } });
    await log.flush();
    say(String(n));
  }
  for await (const _ of Deno.stdin.readable) say("waiting");
  await log.close();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
}
