/** The session log against other processes, kills and a full disk. */
import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readSession } from "@/session/read.ts";
import { SessionLog } from "@/session/log.ts";
import { encodeRecord } from "@/session/record.ts";
import { SessionInUse } from "@/session/lock.ts";
import { canFillDisk, runOnSmallDisk } from "../support/small_disk.ts";
import { withWorkspace } from "../support/workspace.ts";

const CHILD = fileURLToPath(new URL("../support/session_child.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));
const options = { isRecording: () => true };

/** A child process and the lines it says. */
class Child {
  readonly #process: Deno.ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(...args: string[]) {
    const run = ["run", "-q", "--no-prompt", "--config", CONFIG, "-R", "-W", "-E", "-S", CHILD];
    this.#process = new Deno.Command(Deno.execPath(), {
      args: [...run, ...args],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    this.#lines = linesOf(this.#process.stdout);
  }

  async line(): Promise<string | undefined> {
    const { done, value } = await this.#lines.next();
    return done ? undefined : value;
  }

  /** Kills it at once; the lines that it had said by then. */
  async kill(): Promise<string[]> {
    this.#process.kill("SIGKILL");
    const rest: string[] = [];
    for (let line = await this.line(); line !== undefined; line = await this.line()) {
      rest.push(line);
    }
    await this.#process.status;
    await this.#process.stdin.abort().catch(() => undefined);
    return rest;
  }

  async end(): Promise<void> {
    await this.#process.stdin.close();
    while (await this.line() !== undefined) { /* Read to the end. */ }
    await this.#process.status;
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split("\n");
    text = lines.pop() ?? "";
    yield* lines;
  }
}

async function writeStart(path: string): Promise<void> {
  const event = { type: "session" as const, uid: "0199-child", cwd: "/p", profile: "" };
  await Deno.writeTextFile(path, encodeRecord({ v: 1, at: "2026-03-04T05:06:07.890Z", event }));
}

Deno.test("SessionLog.open() refuses a session that is open in another process until that one ends", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "shared.jsonl");
    await writeStart(path);
    const owner = new Child(path, "1");
    equal(await owner.line(), "open");
    equal(await owner.line(), "1");
    await rejects(SessionLog.open(path, options), SessionInUse);
    const second = new Child(path, "1");
    match(
      await second.line() ?? "",
      /^Cannot open session "shared": it is open in another harness/,
    );
    await second.end();
    equal((await readSession(path)).records.length, 2, "reading is not locked");
    await owner.end();
    const { log, records } = await SessionLog.open(path, options);
    equal(records.length, 2);
    await log.close();
  });
});

Deno.test("SessionLog has everything on disk that flush() promised when its process is killed", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "killed.jsonl");
    await writeStart(path);
    for (const linesBefore of [1, 40, 7]) {
      const { length: before } = (await readSession(path)).records;
      const child = new Child(path, "0");
      equal(await child.line(), "open");
      let promised = 0;
      for (let seen = 0; seen < linesBefore; seen += 1) promised = Number(await child.line());
      promised = Number((await child.kill()).at(-1) ?? promised);
      const { log, records } = await SessionLog.open(path, options);
      await log.close();
      const added = records.slice(before).map(numberOf);
      equal(added, added.map((_, index) => index + 1), "in order, none twice");
      ok(added.length >= promised, `${added.length} of ${promised}`);
      const { damaged, foreign, tail } = await readSession(path);
      equal([damaged, foreign, tail], [0, 0, undefined]);
    }
  });
});

function numberOf({ event }: { event: unknown }): number {
  return Number(/"text":"(\d+) /.exec(JSON.stringify(event))?.[1]);
}

Deno.test("a lock left by a killed process does not lock anybody out", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "left.jsonl");
    await writeStart(path);
    const child = new Child(path, "1");
    equal(await child.line(), "open");
    await child.kill();
    ok([...Deno.readDirSync(join(dir, ".open"))].length === 1, "the file itself stays");
    const { log } = await SessionLog.open(path, options);
    await log.close();
    equal([...Deno.readDirSync(join(dir, ".open"))], []);
  });
});

const ON_FULL_DISK = `
import { SessionLog } from "@/session/log.ts";
import { readSession } from "@/session/read.ts";
const dir = Deno.args[0];
const log = SessionLog.create(dir, { isRecording: () => true });
const said = (n) => ({ type: "message", message: { role: "user", origin: "person",
  content: [{ type: "text", text: n + " " + "x".repeat(3000) }] } });
Deno.writeFileSync(dir + "/filler", new Uint8Array(24 * 1024));
const told = [];
let appended = 0;
const step = async () => {
  log.append(said(++appended));
  try { await log.flush(); } catch (error) { told.push(error.name + ": " + error.message); }
};
while (told.length === 0) await step();
const failedAt = appended;
await step();
await step();
const unsaved = log.unsaved;
const during = await readSession(log.path);
Deno.removeSync(dir + "/filler");
await step();
const afterRoom = log.unsaved;
const end = await readSession(log.path);
const numbers = end.records.map(({ event }) => parseInt(event.message.content[0].text));
let lost = "";
while (told.length === 1) await step();
try { await log.close(); } catch (error) { lost = error.message; }
console.log(JSON.stringify({ told, failedAt, unsaved, afterRoom, numbers, appended, lost,
  duringDamaged: during.damaged, endDamaged: end.damaged, tail: end.tail ?? null }));
`;

Deno.test({
  name: "flush() says once that the disk is full, and writes everything when there is room again",
  ignore: !canFillDisk(),
  fn: async () => {
    await withWorkspace(async (dir) => {
      const outcome = JSON.parse(await runOnSmallDisk(ON_FULL_DISK, dir));
      const { told, failedAt, unsaved, numbers, lost } = outcome;
      equal(told.length, 2, "once for each time that it became full");
      match(told[0], /^PersonError: Cannot save session "\d{8}_\d{6}": the disk is full$/);
      ok(failedAt > 3 && unsaved >= 3, JSON.stringify(outcome));
      equal(outcome.afterRoom, 0);
      equal(numbers, numbers.map((_: number, index: number) => index + 1));
      equal(numbers.length, failedAt + 3);
      equal([outcome.duringDamaged, outcome.endDamaged, outcome.tail], [0, 0, null]);
      match(lost, /^Cannot save session "\d{8}_\d{6}": the disk is full$/);
    });
  },
});
