/** The chain of six stages in the whole program, against a scripted model. */
import { deepStrictEqual as equal, doesNotMatch, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { STAGES } from "@/lib/stages.ts";
import type { Asker } from "@/protocol/policy.ts";
import { COMMANDS, runCommand } from "@/terminal/commands/mod.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { sent, type WholeApp, withApp } from "../support/whole_app.ts";
import { personGit } from "../support/git.ts";
import { withProcesses } from "../support/processes.ts";

const EDIT = { name: "write_file", arguments: { filepath: "a.txt", content: "two\n" } };

/** What a request is about: the newest stage that was begun, how often it was asked in, or the short question. */
type Asked = { stage: string; pass: number; index: number; texts: string[] };

function stages(
  reply: (asked: Asked) => ScriptedReply,
  questions: (text: string) => string = () => "YES",
) {
  const seen: string[] = [];
  const counts = new Map<string, number>();
  const script = (body: unknown): ScriptedReply => {
    const { system, texts } = sent(body);
    if (system.startsWith("You answer with one word")) return { text: questions(texts[0] ?? "") };
    const begun = begunIn(texts);
    const number = begun.at(-1) ?? "0";
    const pass = Math.ceil(begun.length / STAGES.length);
    const key = `${number}/${pass}`;
    const index = counts.get(key) ?? 0;
    counts.set(key, index + 1);
    if (index === 0) seen.push(number);
    return reply({ stage: STAGES[Number(number) - 1] ?? "", pass, index, texts });
  };
  return { script, seen };
}

/** The numbers of the stages that were begun. The first instruction stands in one message with what the person said. */
function begunIn(texts: readonly string[]): string[] {
  return [...texts.join("\n").matchAll(/^\[Deepthink (\d)\/6 - /gm)].map(([, number = ""]) =>
    number
  );
}

const notices = ({ events }: WholeApp) =>
  events.flatMap((event) => event.type === "notice" ? [event.text] : []);

async function plant(dir: string, git = true): Promise<void> {
  await Deno.writeTextFile(join(dir, "a.txt"), "one\n");
  if (!git) return;
  await withProcesses(async (processes) => {
    await personGit(processes, dir, "init");
    await personGit(processes, dir, "add", ".");
    await personGit(processes, dir, "commit", "-m", "first");
  });
}

const ON = { auto: true, set: ["DEEPTHINK=true", "MAX_TOOL_CALLS=0"] };

Deno.test("six stages: those that think cannot edit, the review has the real diff, and what ran is told", () => {
  const { script, seen } = stages(({ stage, index }) => {
    if (index > 0) return { text: `${stage} is done.` };
    if (stage === "verify") {
      return {
        calls: ["cat a.txt", "exit 3"].map((command) => ({
          name: "run_cmd",
          arguments: { command },
        })),
      };
    }
    if (stage === "revise") return { text: "Nothing to revise." };
    if (stage !== "build") {
      return { calls: [EDIT, { name: "run_cmd", arguments: { command: "touch b" } }] };
    }
    return {
      calls: [EDIT, { name: "write_file", arguments: { filepath: "new.txt", content: "n" } }],
    };
  }, (text) => text.includes("report") ? "NO" : "YES");
  return withApp(script, async (whole) => {
    const { stop, answer, calls } = await whole.app.say("Change a.txt.");
    equal([stop, answer, seen], ["end", "verify is done.", ["1", "2", "3", "4", "5", "6"]]);
    equal(calls.map(({ result }) => result.status), [
      ...["denied", "denied", "denied", "denied"],
      ...["ok", "ok", "denied", "denied", "ok", "failed"],
    ]);
    match(
      calls[0]?.result.text ?? "",
      /this stage only reads; say what write_file would have changed/,
    );
    equal(await Deno.readTextFile(join(whole.dir, "a.txt")), "two\n");
    const review = whole.api.bodies.flatMap((body) => sent(body).texts)
      .find((text) => text.startsWith("[Deepthink 4/6")) ?? "";
    match(review, /-one\n\+two/);
    match(review, /\+\+\+ new\.txt/);
    const told = notices(whole);
    equal(told.filter((text) => text.startsWith("Deepthink ")).length, 6);
    ok(told.includes("Deepthink 4/6: Review, only reads"));
    // A short question has another prefix than the conversation: counted as one of it, it would look like a lost cache.
    const paid = whole.events.flatMap((event) => event.type === "usage" ? [event.purpose] : []);
    equal(paid.filter((purpose) => purpose === "question").length, 2);
    equal(paid.filter((purpose) => purpose === "turn").length, whole.api.bodies.length - 2);
    ok(told.includes("Verify ran: cat a.txt (exit code 0); exit 3 (exit code 3); 1/2 failed"));
  }, { run: ON, plant });
});

Deno.test("a question costs one stage, and the marker is seen by nobody", () => {
  const { script, seen } = stages(() => ({ text: "It is 42.\nNO_PLAN_NEEDED" }));
  return withApp(script, async (whole) => {
    equal((await whole.app.say("What is it?")).answer, "It is 42.");
    equal([seen, whole.api.bodies.length], [["1"], 1]);
    const shown = whole.events.filter((event) => event.type === "delta");
    doesNotMatch(JSON.stringify(shown), /NO_|PLAN/);
  }, { run: ON, plant });
});

Deno.test("a plan without its marker is read back, and a clear no ends the chain", () => {
  const { script, seen } = stages(() => ({ text: "It is 42." }), () => "no.");
  return withApp(script, async (whole) => {
    await whole.app.say("What is it?");
    equal(seen, ["1"]);
    ok(notices(whole).includes("Deepthink ends after the plan: there is nothing to build"));
  }, { run: ON, plant });
});

Deno.test("a build that changed nothing ends the chain; without git the review reads again", async () => {
  for (const [git, expected] of [[true, 3], [false, 6]] as const) {
    const { script, seen } = stages(
      ({ stage }) => ({ text: `${stage}.` }),
      (text) => text.includes("report") ? "NO" : "YES",
    );
    await withApp(script, async (whole) => {
      await whole.app.say("Do it.");
      equal(seen.length, expected);
    }, { run: ON, plant: (dir) => plant(dir, git) });
  }
});

Deno.test("what is left undone begins anew with a note, up to the ceiling", () => {
  const { script, seen } = stages(({ stage, pass, index }) => {
    if (stage === "build" && index === 0) {
      const content = `pass ${pass}\n`;
      return { calls: [{ name: "write_file", arguments: { filepath: "a.txt", content } }] };
    }
    return { text: stage === "verify" ? `half of ${pass}\nMORE_WORK_NEEDED` : `${stage}.` };
  });
  return withApp(script, async (whole) => {
    const { answer } = await whole.app.say("Do it.");
    equal([answer, seen.length], ["half of 2", 12]);
    const begun = sent(whole.api.bodies.at(-1)).texts.filter((text) => text.includes("1/6"));
    match(
      begun[1] ?? "",
      /^\[Deepthink 1\/6 - Plan, pass 2\]\nThe last pass left something undone/,
    );
    match(notices(whole).at(-1) ?? "", /ends unfinished after 2 passes/);
  }, { run: { auto: true, set: ["DEEPTHINK=true", "DEEPTHINK_MAX_PASSES=2"] }, plant });
});

Deno.test("an interrupt in a stage ends the chain, and the next message begins a new one", () => {
  let isFirst = true;
  const { script, seen } = stages(({ stage, texts }) => {
    if (texts.some((text) => text.includes("Again."))) return { text: "Yes.\nNO_PLAN_NEEDED" };
    if (stage === "check" && isFirst) {
      isFirst = false;
      return { text: "Looking", fault: { kind: "stall", at: "end" } };
    }
    return { text: `${stage}.` };
  });
  return withApp(script, async (whole) => {
    const { app, events } = whole;
    const turn = app.say("Do it.");
    const isLooking = () =>
      events.some((event) => event.type === "delta" && event.text === "Looking");
    while (!isLooking()) await new Promise((resolve) => setTimeout(resolve, 5));
    app.interrupt();
    equal((await turn).stop, "abort");
    const from = app.harness.messages().length;
    equal((await app.say("Again.")).answer, "Yes.");
    match(JSON.stringify(app.harness.messages().slice(from)), /Deepthink 1\/6 - Plan\]/);
    equal(seen[0], "1");
  }, { run: ON, plant });
});

Deno.test("a stage may have another model, which is gone again afterwards; one that is not there is told", () => {
  const { script } = stages(
    ({ stage, index }) =>
      stage === "build" && index === 0 ? { calls: [EDIT] } : { text: `${stage}.` },
    (text) => text.includes("report") ? "NO" : "YES",
  );
  const models = "review=m2,check=anthropic";
  return withApp(script, async (whole) => {
    await whole.app.say("Do it.");
    const asked = whole.api.bodies.map((body) => {
      const { model } = body as { model: string };
      return `${model} ${begunIn(sent(body).texts).at(-1)}`;
    });
    ok(asked.includes("m2 4"));
    equal(asked.filter((each) => each.startsWith("m2")).length, 1);
    equal(whole.app.facts().model, "ollama/m");
    const told = whole.events.flatMap((event) =>
      event.type === "model" ? [[event.model, event.standsIn === true]] : []
    );
    equal(told, [["m", false], ["m2", true], ["m", false]]);
    match(
      notices(whole).join("\n"),
      /anthropic, which DEEPTHINK_MODELS names for the stage check, cannot be asked: .* ollama\/m goes on/,
    );
  }, {
    run: { auto: true, offline: true, set: ["DEEPTHINK=true", `DEEPTHINK_MODELS=${models}`] },
    plant,
  });
});

Deno.test("/deepthink says how it is, turns it on and off", () =>
  withApp([{ text: "Plain." }], async ({ app, api }) => {
    const run = async (line: string) => (await runCommand(line, await app.commandHost())).text;
    equal(await run("/deepthink on"), "deepthink is on");
    match(await run("/deepthink"), /^deepthink is on\n {2}1 {2}plan {4}work out.*only reads\n/);
    equal(await run("/deepthink off"), "deepthink is off");
    match(await run("/deepthink maybe"), /takes on or off/);
    await app.say("Hello.");
    equal(sent(api.bodies[0]).texts, ["Hello."]);
  }));

Deno.test("/deepthink off in the middle ends the chain with the stage that runs, at once while the turn goes on", () => {
  let off = () => {};
  const { script, seen } = stages(({ stage, index }) => {
    if (stage !== "check") return { text: `${stage}.` };
    if (index > 0) return { text: "The plan stands." };
    off();
    return { calls: [EDIT] };
  });
  return withApp(script, async (whole) => {
    const { app } = whole;
    const host = await app.commandHost();
    ok(COMMANDS.find(({ name }) => name === "deepthink")?.runsDuringTurn);
    off = () => void runCommand("/deepthink off", host);
    const { stop, answer, calls } = await app.say("Do it.");
    equal([stop, answer, seen], ["end", "The plan stands.", ["1", "2"]]);
    // The stage that it is stopped in goes on only reading.
    equal(calls.map(({ result }) => result.status), ["denied"]);
    equal(
      notices(whole).filter((text) => text.includes("turned off")),
      ["Deepthink was turned off; the chain ends here"],
    );
    const from = app.harness.messages().length;
    await app.say("And now?");
    doesNotMatch(JSON.stringify(app.harness.messages().slice(from)), /Deepthink \d/);
  }, { run: ON, plant });
});

Deno.test("a stage that goes on with what it may not do costs itself, and the chain goes on", () => {
  const { script, seen } = stages(({ stage, index }) => {
    if (stage === "plan") {
      const edit = (n: number) => ({ ...EDIT, arguments: { filepath: `${n}.txt`, content: "n" } });
      return { calls: [edit(2 * index), edit(2 * index + 1)] };
    }
    return stage === "build" && index === 0 ? { calls: [EDIT] } : { text: `${stage}.` };
  }, (text) => text.includes("report") ? "NO" : "YES");
  return withApp(script, async (whole) => {
    const { stop, answer, calls } = await whole.app.say("Change a.txt.");
    equal([stop, answer, seen], ["end", "verify.", ["1", "2", "3", "4", "5", "6"]]);
    equal(calls.map(({ result }) => result.status), [...Array(6).fill("denied"), "ok"]);
    const check = whole.api.bodies.flatMap((body) => sent(body).texts)
      .find((text) => text.startsWith("[Deepthink 2/6"));
    match(check ?? "", /\nThe stage before this one was ended early/);
    const told = notices(whole);
    ok(told.includes("Deepthink ended the stage Plan: its calls got it nowhere"));
    equal(told.filter((text) => text.startsWith("The turn was ended")), []);
  }, { run: ON, plant });
});

Deno.test("each stage has as many calls as a turn before the person is asked; the ceiling counts them all", async () => {
  const read = (stage: string, at: number) => ({
    calls: [{ name: "read_file", arguments: { filepath: "a.txt", start: 1, end: 1 + at } }],
    text: stage,
  });
  const made = () =>
    stages(
      ({ stage, index }) =>
        stage !== "verify" && index < 2
          ? stage === "build" && index === 0 ? { calls: [EDIT] } : read(stage, index)
          : stage === "verify" && index < 3
          ? read(stage, index)
          : { text: `${stage}.` },
      (text) => text.includes("report") ? "NO" : "YES",
    );
  const set = ["DEEPTHINK=true", "MAX_TOOL_CALLS=3", "HEADLESS_MAX_TOOL_CALLS=7"];
  const asked: string[] = [];
  const asker: Asker = ([question]) => {
    asked.push(question?.text ?? "");
    return Promise.resolve(["yes"]);
  };
  await withApp(made().script, async (whole) => {
    equal((await whole.app.say("Do it.")).stop, "end");
    equal(asked, ["13 tool calls were made in this turn. Go on?"]);
  }, { run: { auto: true, set }, screen: { asker }, plant });
  const { script, seen } = made();
  await withApp(script, async (whole) => {
    const { stop, calls } = await whole.app.say("Do it.");
    equal([stop, calls.length, seen.at(-1)], ["limit", 7, "4"]);
  }, { run: { auto: true, set }, isInteractive: false, plant });
});

Deno.test("plan mode says nothing beside the chain, but what it refuses stays refused", () => {
  const { script, seen } = stages(({ index }) =>
    index === 0 ? { calls: [EDIT] } : { text: "Well." }
  );
  return withApp(script, async (whole) => {
    const { calls } = await whole.app.say("Do it.");
    equal(seen, ["1", "2", "3"]);
    equal(calls.map(({ result }) => result.status), ["denied", "denied", "denied"]);
    doesNotMatch(JSON.stringify(whole.api.bodies), /Plan mode is on/);
  }, { run: { ...ON, plan: true }, plant });
});

Deno.test("an agent that is hired in a stage that thinks cannot edit either", () => {
  let said = 0;
  const { script } = stages(({ index }) =>
    index === 0
      ? { calls: [{ name: "spawn_agent", arguments: { task: "Change a.txt." } }] }
      : { text: "I know.\nNO_PLAN_NEEDED" }
  );
  const both = (body: unknown): ScriptedReply => {
    if (!sent(body).system.startsWith("You were hired")) return script(body);
    said += 1;
    return said === 1 ? { calls: [EDIT] } : { text: "I may not." };
  };
  return withApp(both, async (whole) => {
    const { calls } = await whole.app.say("Do it.");
    match(calls[0]?.result.text ?? "", /^I may not\.\n\n1 call of it was refused: write_file$/);
    equal(await Deno.readTextFile(join(whole.dir, "a.txt")), "one\n");
  }, { run: ON, plant });
});
