import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { tokens } from "../support/prompt_size.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { sent, withApp } from "../support/whole_app.ts";

const NEEDLE = "Never touch the file legacy/ledger.cob, and answer in Basque when you are done.";
const WINDOW = 32_768;
const LONG = "a long answer ".repeat(600).trim();
const OVERFLOW = {
  fault: {
    kind: "status",
    status: 400,
    body: {
      error: {
        code: 400,
        type: "exceed_context_size_error",
        message: "the request exceeds the available context size",
      },
    },
  },
} as const;

const isSummaryRequest = (body: unknown) => sent(body).system.startsWith("You shorten");

/** Counts as the server would. */
const usage = (body: unknown) => ({ input: tokens(body), output: 20 });

async function plantFiles(dir: string, count: number, chars: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const lines = Array.from(
      { length: chars / 50 },
      (_, at) => `line ${at} of file ${n}`.padEnd(49, "."),
    );
    await Deno.writeTextFile(join(dir, `f${n}.txt`), `${lines.join("\n")}\n`);
  }
}

Deno.test("a constraint of the first turn is in the prompt word for word after 60 tool turns and three compactions", async () => {
  let read = 0;
  const script = (body: unknown): ScriptedReply => {
    if (isSummaryRequest(body)) {
      return { text: `Goal: read. Done: ${read} files.`, usage: usage(body) };
    }
    if (read >= 60) return { text: "Eginda.", usage: usage(body) };
    read += 1;
    const calls = [{ name: "read_file", arguments: { filepath: `f${read - 1}.txt` } }];
    return { calls, usage: usage(body) };
  };
  await withApp(script, async ({ app, api, events }) => {
    const outcome = await app.say(`${NEEDLE} Read all files.`);
    equal([outcome.stop, outcome.error, outcome.calls.length], ["end", undefined, 60]);
    const compactions = events.filter(({ type }) => type === "compaction").length;
    ok(compactions >= 3, `${compactions} compactions`);
    for (const body of api.bodies) {
      ok(tokens(body) < WINDOW, "a request fits the window");
      if (!isSummaryRequest(body)) ok(sent(body).texts.some((text) => text.includes(NEEDLE)));
    }
    const bills = events.flatMap((event) => event.type === "usage" ? [event.purpose] : []);
    equal(bills.filter((purpose) => purpose === "compaction").length, compactions);
    const told = events.filter((event) => event.type === "notice" && event.about === "compaction");
    equal(told.length, compactions);
  }, {
    run: { auto: true, set: [`NUM_CTX=${WINDOW}`, "MAX_TOOL_CALLS=0"] },
    plant: (dir) => plantFiles(dir, 60, 12_000),
  });
});

Deno.test("D24: an overflow that the server reports is one compaction and one retry", async () => {
  let isRefused = false;
  const script = (body: unknown, index: number): ScriptedReply => {
    if (isSummaryRequest(body)) return { text: "Goal: talk." };
    if (index === 3 && !isRefused) {
      isRefused = true;
      return OVERFLOW;
    }
    return { text: `answer ${index} ${LONG}` };
  };
  await withApp(script, async ({ app, api, events }) => {
    for (const text of ["one", "two", "three"]) await app.say(text);
    const outcome = await app.say("four");
    equal([outcome.stop, outcome.answer], ["end", `answer 5 ${LONG}`]);
    equal(api.bodies.map(isSummaryRequest), [false, false, false, false, true, false]);
    const last = sent(api.bodies[5]).texts.join("\n");
    match(last, /<SUMMARY>\nGoal: talk\.\n<\/SUMMARY>/);
    for (const text of ["one", "two", "three", "four"]) ok(last.includes(text), text);
    equal(events.filter(({ type }) => type === "compaction").length, 1);
  });
});

Deno.test("a server that goes on refusing gets one retry, and the person is told what takes most", async () => {
  const script = (body: unknown, index: number): ScriptedReply => {
    if (isSummaryRequest(body)) return { text: "Goal: talk." };
    return index < 3 ? { text: LONG } : OVERFLOW;
  };
  await withApp(script, async ({ app, api, events }) => {
    for (const text of ["one", "two", "three"]) await app.say(text);
    const outcome = await app.say("four");
    equal([outcome.stop, api.bodies.length], ["limit", 6]);
    const texts = events.flatMap((event) => event.type === "notice" ? [event.text] : []);
    ok(texts.some((text) => /takes most.*tools.*instructions/.test(text)), texts.join("\n"));
  });
});

Deno.test("an overflow where nothing is left to summarise is mended by cutting results, and one retry", async () => {
  const script = (_body: unknown, index: number): ScriptedReply => {
    if (index === 0) {
      return { calls: [{ name: "read_file", arguments: { filepath: "f0.txt" } }] };
    }
    return index === 1 ? OVERFLOW : { text: "done" };
  };
  await withApp(script, async ({ app, api }) => {
    const outcome = await app.say("read it");
    equal([outcome.stop, outcome.answer, api.bodies.length], ["end", "done", 3]);
    const [refused = "", cut = ""] = api.bodies.slice(1).map((body) => sent(body).texts.at(-1));
    ok(cut.length < refused.length && cut.includes("characters omitted here"), cut.slice(0, 90));
  }, { plant: (dir) => plantFiles(dir, 1, 12_000) });
});

Deno.test("what no summary makes shorter ends the turn without a request, with the three largest costs", async () => {
  await withApp([], async ({ app, api, events }) => {
    const outcome = await app.say(`${"word ".repeat(40_000)}`);
    equal([outcome.stop, api.bodies.length], ["limit", 0]);
    const [text = ""] = events.flatMap((event) =>
      event.type === "notice" && event.level === "error" ? [event.text] : []
    );
    match(text, /does not fit the window of m \(32768 tokens\)/);
    match(
      text,
      /takes most and stays: your message "word word .*tokens\), \d+ tools .*the instructions/,
    );
  }, { run: { auto: true, set: [`NUM_CTX=${WINDOW}`] } });
});

Deno.test("a summary that cannot be made leaves the older messages out without one", async () => {
  const script = (body: unknown): ScriptedReply =>
    isSummaryRequest(body)
      ? { fault: { kind: "status", status: 404, body: { error: "model not found" } } }
      : { text: "ok" };
  await withApp(script, async ({ app, api }) => {
    for (const text of ["one", "two", "three"]) await app.say(text);
    const result = await app.slash("/compact the names");
    ok(result.ok, result.text);
    await app.say("four");
    const last = sent(api.bodies.at(-1)).texts.join("\n");
    match(last, /without a summary/);
    match(last, /The user asked to keep: the names/);
  }, { isInteractive: false });
});

Deno.test("/compact asks with a preview, and does nothing after a no", async () => {
  const asked: string[] = [];
  let answer = "leave it as it is";
  const script = (body: unknown): ScriptedReply =>
    isSummaryRequest(body) ? { text: "Goal: talk." } : { text: "ok" };
  await withApp(script, async ({ app, events, api }) => {
    equal((await app.slash("/compact")).text, "There is nothing to shorten yet");
    for (const text of ["one", "two", "three"]) await app.say(text);
    equal((await app.slash("/compact")).text, "The conversation stays as it is");
    equal(events.filter(({ type }) => type === "compaction"), []);
    answer = "shorten it";
    match((await app.slash("/compact the names")).text, /shortened from about/);
    match(asked[0] ?? "", /would become a summary.*\nWord for word stay: 3 requests/);
    match(sent(api.bodies.at(-1)).system, /above all to keep: the names/);
  }, {
    screen: {
      asker: (questions) => {
        asked.push(...questions.map(({ text }) => text));
        return Promise.resolve([answer]);
      },
    },
  });
});

Deno.test("a sub-agent's conversation is shortened as well, and its brief stays word for word", async () => {
  let read = 0;
  const script = (body: unknown, index: number): ScriptedReply => {
    if (isSummaryRequest(body)) return { text: "Goal: read.", usage: usage(body) };
    if (index === 0) return { calls: [{ name: "spawn_agent", arguments: { task: NEEDLE } }] };
    if (!sent(body).system.startsWith("You were hired")) {
      return { text: "done", usage: usage(body) };
    }
    if (read >= 40) return { text: "The report.", usage: usage(body) };
    read += 1;
    const calls = [{ name: "read_file", arguments: { filepath: `f${read - 1}.txt` } }];
    return { calls, usage: usage(body) };
  };
  await withApp(script, async ({ app, api, events }) => {
    equal((await app.say("hire one")).stop, "end");
    const shortened = api.bodies.filter(isSummaryRequest).length;
    ok(shortened > 0, "it was shortened");
    const hired = api.bodies.filter((body) => sent(body).system.startsWith("You were hired"));
    equal(hired.length, 41);
    for (const body of hired) ok(sent(body).texts.some((text) => text.includes(NEEDLE)));
    const bills = events.flatMap((event) => event.type === "usage" ? [event.purpose] : []);
    equal(bills.filter((purpose) => purpose === "subagent").length, 41 + shortened);
  }, {
    run: { auto: true, set: [`NUM_CTX=${WINDOW}`, "SUBAGENT_MAX_TURNS=60"] },
    plant: (dir) => plantFiles(dir, 40, 12_000),
  });
});
