/**
 * One process on a board. `hold DIR TOP PATH…`: claims the files, says its name and stays. `work DIR TOP LOG COUNT FILES SEED`: claims
 * and releases at random; what it was given and gave back, and what it has said, is in LOG as it happened.
 */
import { join } from "node:path";
import { Board } from "@/channel/board.ts";
import { Member } from "@/channel/member.ts";

const [mode = "", dir = "", top = "", ...args] = Deno.args;
const board = await Board.open({ dir, top, host: "here", staleS: () => 120 });
const member = await Member.join(board, { model: "child", label: "" });
if (mode === "hold") await hold(args);
else await work();
Deno.exit(0);

async function hold(paths: readonly string[]): Promise<void> {
  const taken = await member.claim(paths, { kind: "claim", reason: "held by a child", ttlS: 600 });
  console.log(JSON.stringify({ id: member.id, ok: taken.ok }));
  for await (const _ of Deno.stdin.readable) break; // Until it is closed, or this is killed.
  await member.leave();
}

async function work(): Promise<void> {
  const [path = "", count, files, seed] = args;
  using log = Deno.openSync(path, { append: true });
  const me = `${Deno.pid}`;
  // One write a line: lines of several processes stand in the order in which things happened.
  const note = (line: string) => log.writeSync(new TextEncoder().encode(`${me} ${line}\n`));
  let state = Number(seed);
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(state / 65_536) % below;
  };
  for (let n = 0; n < Number(count); n += 1) {
    const names = [`f${random(Number(files))}`, `f${random(Number(files))}`];
    const paths = [...new Set(names)].map((name) => join(top, name));
    const taken = await member.claim(paths, { kind: "claim", reason: me, ttlS: 600 });
    if (!taken.ok) continue;
    for (const at of paths) note(`got ${at}`);
    await new Promise((done) => setTimeout(done, random(4)));
    for (const at of paths) note(`gives ${at}`);
    await member.release(paths);
    if (n % 40 === 0) {
      const text = `${me}/${n}`;
      const { ok } = await member.say("a1", text);
      if (ok) note(`said ${text}`);
    }
  }
  await member.leave();
}
