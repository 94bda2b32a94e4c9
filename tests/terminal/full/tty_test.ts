/** The terminal as a device: what is asked of it, what is answered, and how it is given back. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import type { Input } from "@/terminal/full/keys.ts";
import { type Device, Tty } from "@/terminal/full/tty.ts";

/** A device whose answers the test writes. */
function device(
  size: () => { columns: number; rows: number } = () => ({ columns: 80, rows: 24 }),
  env: Readonly<Record<string, string>> = {},
) {
  const state = { written: "", isRaw: false };
  let give: ((bytes: Uint8Array | null) => void) | undefined;
  const made: Device = {
    write: (text) => {
      state.written += text;
    },
    setRaw: (on) => {
      state.isRaw = on;
    },
    read: async (buffer) => {
      const bytes = await new Promise<Uint8Array | null>((resolve) => {
        give = resolve;
      });
      if (bytes === null) return null;
      buffer.set(bytes);
      return bytes.length;
    },
    size,
    env: (name) => ({ COLUMNS: "132", LINES: "43", ...env })[name],
  };
  const send = async (text: string | null) => {
    // The read is under way a moment later.
    for (let n = 0; give === undefined && n < 20; n++) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const reader = give;
    give = undefined;
    reader?.(text === null ? null : new TextEncoder().encode(text));
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return { made, state, send };
}

Deno.test("Tty asks for kitty's keys and takes them when the terminal has them, and gives them back", async () => {
  const { made, state, send } = device();
  const tty = new Tty(made);
  tty.enter();
  ok(
    state.isRaw && state.written.includes("\x1b[?2004h") &&
      state.written.endsWith("\x1b[?u\x1b[>c\x1b[c"),
  );
  await send("\x1b[?0u\x1b[?62;22c");
  ok(state.written.endsWith("\x1b[>1u"));
  tty.close();
  ok(state.written.includes("\x1b[<u"));
  equal(state.isRaw, false);
});

Deno.test("Tty falls back to xterm's way to tell modified keys", async () => {
  const { made, state, send } = device();
  const tty = new Tty(made);
  tty.enter();
  await send("\x1b[?1;2c");
  ok(state.written.endsWith("\x1b[>4;1m"));
  tty.close();
  ok(state.written.includes("\x1b[>4m"));
});

Deno.test("Tty asks nothing of a terminal that answers nothing", () => {
  const { made, state } = device();
  const tty = new Tty(made);
  tty.enter();
  tty.close();
  equal(
    state.written,
    "\x1b[?2004h\x1b[?1004h\x1b[?u\x1b[>c\x1b[c" +
      "\x1b[?2026l\x1b[?7h\x1b[0m\x1b[?2004l\x1b[?1004l\x1b[?25h",
  );
});

Deno.test("Tty asks what it stands on where there are many colours, and takes any answer there is", async () => {
  const cases = [
    ["\x1b]11;rgb:0000/0000/0000\x1b\\", "dark"],
    ["\x1b]11;rgb:ffff/ffff/ffff\x07", "light"],
    ["\x1b]11;rgb:fd/f6/e3\x07", "light"],
    ["\x1b]11;rgba:1e1e/1e1e/2e2e/ffff\x1b\\", "dark"],
    ["\x1b]11;cornsilk\x07", undefined],
    ["", undefined],
  ] as const;
  for (const [answer, ground] of cases) {
    const { made, state, send } = device(undefined, { TERM: "xterm-256color" });
    const tty = new Tty(made);
    tty.enter();
    ok(state.written.includes("\x1b]11;?\x1b\\\x1b[?u"));
    await send(`${answer}\x1b[?62;22c`);
    equal(tty.ground, ground, answer);
    tty.close();
  }
});

Deno.test("Tty keeps what is typed before anybody listens", async () => {
  const { made, send } = device();
  const tty = new Tty(made);
  tty.enter();
  await send("early");
  const heard: Input[] = [];
  tty.listen((input) => heard.push(input));
  await send("\r");
  equal(heard, [
    { type: "key", name: "early", text: "early" },
    { type: "key", name: "enter", text: "" },
  ]);
  tty.close();
});

Deno.test("Tty falls back to COLUMNS and LINES where there is no size, and never to nothing", () => {
  equal(new Tty(device(() => ({ columns: 0, rows: 0 })).made).size(), { columns: 132, rows: 43 });
  const broken = device(() => {
    throw new Error("not a terminal");
  });
  equal(new Tty(broken.made).size(), { columns: 132, rows: 43 });
  equal(new Tty(device(() => ({ columns: 1, rows: 1 })).made).size(), { columns: 10, rows: 3 });
});

Deno.test("lend() gives the terminal away and reads nothing meanwhile", async () => {
  const { made, state, send } = device();
  const tty = new Tty(made);
  const heard: Input[] = [];
  tty.listen((input) => heard.push(input));
  tty.enter();
  await send("\x1b[?62c");
  const lent = tty.lend(async () => {
    equal(state.isRaw, false);
    // The read that was under way has ended with the answer, and no other has begun.
    await send("keys of the editor");
    return "done";
  });
  await send("\x1b[0n");
  equal(await lent, "done");
  equal(heard, []);
  equal(state.isRaw, true);
  tty.close();
});

Deno.test("lend() goes on without an answer", async () => {
  const { made } = device();
  const tty = new Tty(made);
  tty.enter();
  equal(await tty.lend(() => Promise.resolve(1)), 1);
  tty.close();
});

Deno.test("cursor() says where the cursor stands, or that the terminal does not say", async () => {
  const { made, send } = device();
  const tty = new Tty(made);
  tty.enter();
  const place = tty.cursor();
  await send("\x1b[7;31R");
  equal(await place, { row: 6, column: 30 });
  equal(await tty.cursor(), undefined);
  tty.close();
});

Deno.test("cursor() does not take the late answer to an earlier question", async () => {
  const { made, send } = device();
  const tty = new Tty(made);
  tty.enter();
  equal(await tty.cursor(), undefined);
  const place = tty.cursor();
  await send("\x1b[1;1R");
  await send("\x1b[7;31R");
  equal(await place, { row: 6, column: 30 });
  tty.close();
});

Deno.test("settled() waits for the answers that are on their way", async () => {
  const { made, state, send } = device();
  const tty = new Tty(made);
  const drawn: string[] = [];
  tty.enter();
  await send("\x1b[?62c");
  tty.write("a frame", () => drawn.push("frame"));
  let isSettled = false;
  const settled = tty.settled().then(() => {
    isSettled = true;
  });
  await send("\x1b[0n");
  equal({ drawn, isSettled }, { drawn: ["frame"], isSettled: false });
  await send("\x1b[0n");
  await settled;
  match(state.written, /a frame\x1b\[5n\x1b\[5n$/);
  tty.write("the last frame", () => drawn.push("last"));
  match(
    state.written,
    /the last frame$/,
    "nothing is asked of a terminal that is being given back",
  );
  tty.restore();
  tty.enter();
  tty.write("a first frame", () => drawn.push("first"));
  match(state.written, /a first frame\x1b\[5n$/);
  tty.close();
});

Deno.test("settled() asks once for all who wait, and nothing else is asked meanwhile", async () => {
  const { made, state, send } = device();
  const tty = new Tty(made);
  tty.enter();
  await send("\x1b[?62c");
  tty.write("a frame", () => {});
  const settled = Promise.all([tty.settled(), tty.settled()]);
  equal(await tty.cursor(), undefined);
  match(state.written, /a frame\x1b\[5n\x1b\[5n$/);
  await send("\x1b[0n\x1b[0n");
  await settled;
  tty.close();
});

Deno.test("settled() waits for no terminal that is gone", async () => {
  const gone = device();
  const tty = new Tty(gone.made);
  tty.enter();
  // So slow that it would be waited for much longer.
  await new Promise((resolve) => setTimeout(resolve, 400));
  await gone.send("\x1b[?62c");
  tty.write("a frame", () => {});
  let isSettled = false;
  const settled = tty.settled().then(() => {
    isSettled = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  equal(isSettled, false);
  await gone.send(null);
  equal(isSettled, true);
  await settled;
  tty.close();
});

Deno.test("place() says where the cursor stands and how large the screen is, as far as the terminal says it", async () => {
  const { made, state, send } = device();
  const tty = new Tty(made);
  tty.enter();
  const place = tty.place();
  match(state.written, /\x1b\[6n\x1b7\x1b\[999;999H\x1b\[6n\x1b8$/);
  await send("\x1b[7;31R\x1b[24;80R");
  equal(await place, { cursor: { row: 6, column: 30 }, size: { columns: 80, rows: 24 } });
  const half = tty.place();
  await send("\x1b[7;31R");
  equal(await half, { cursor: { row: 6, column: 30 }, size: undefined });
  tty.close();
});

Deno.test("Tty writes nothing to a terminal that was given back, and does so once", async () => {
  const { made, state, send } = device();
  const tty = new Tty(made);
  let isOver = false;
  tty.onEnd = () => {
    isOver = true;
  };
  tty.enter();
  tty.alternate(true);
  tty.restore();
  ok(state.written.includes("\x1b[?1049l"));
  const { length } = state.written;
  tty.write("late");
  tty.restore();
  equal(state.written.length, length);
  tty.enter();
  await send(null);
  equal(isOver, true);
  tty.close();
});

Deno.test("enter() tells the end of a terminal that went away while it was somebody else's", () => {
  const { made, state } = device();
  let isGone = false;
  const setRaw = (on: boolean) => {
    if (isGone) throw new Error("EIO: I/O error");
    made.setRaw(on);
  };
  const tty = new Tty({ ...made, setRaw });
  let ends = 0;
  tty.onEnd = () => void (ends += 1);
  tty.enter();
  tty.restore();
  isGone = true;
  const { written } = state;
  tty.enter();
  tty.write("a frame");
  equal([ends, state.written], [1, written]);
  tty.close();
});
