import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { assistant, call, PIXEL, result, user } from "../support/conversation.ts";
import { planCompaction } from "@/agent/compaction.ts";
import { HistoryFold, historyProblem, isSummary } from "@/agent/history.ts";
import { essence, keptWords } from "@/agent/kept_words.ts";
import { laterInstruction } from "@/workspace/instructions.ts";
import { plainSummary, summaryTokensFor } from "@/agent/summary.ts";
import type { Message } from "@/protocol/message.ts";

const note = (text: string): Message => ({
  role: "user",
  origin: "hook",
  content: [{ type: "text", text }],
});

/** The history after a compaction that is carried out as planned. */
function compacted(messages: readonly Message[], roomTokens: number): readonly Message[] {
  const fold = new HistoryFold();
  for (const message of messages) fold.add({ type: "message", message });
  const plan = planCompaction(fold.messages(), roomTokens);
  if (plan === undefined) return messages;
  const { keepFrom, keep } = plan;
  fold.add({ type: "compaction", summary: "what was done", keepFrom, keep });
  return fold.messages();
}

const text = (message: Message | undefined) => JSON.stringify(message ?? null);

/** A turn: a request, `steps` calls with results, an answer. */
function turn(name: string, steps: number, chars = 400): Message[] {
  const between = Array.from({ length: steps }, (_, n) => [
    assistant(call(`${name}${n}`)),
    result(`${name}${n}`, `${name}${n}`.padEnd(chars, "x")),
  ]);
  return [user(name), ...between.flat(), assistant(`${name} is done`)];
}

Deno.test("planCompaction() keeps the last two turns whole where there is room", () => {
  const messages = [...turn("a", 3), ...turn("b", 3), ...turn("c", 3)];
  const left = compacted(messages, 50_000);
  equal(left.slice(2), messages.slice(8));
  equal([text(left[0]), isSummary(left[1] ?? user(""))], [text(user("a")), true]);
});

Deno.test("planCompaction() does not take a note of the harness for a request", () => {
  const messages = [
    ...turn("a", 1),
    ...turn("b", 1),
    note("[System] a note"),
    ...turn("c", 1),
    note("[System] another"),
  ];
  const plan = planCompaction(messages, 50_000);
  equal(plan?.keepFrom, 4);
});

Deno.test("planCompaction() cuts inside a turn that is too long, and keeps what was asked for", () => {
  const messages = turn("a", 40, 3_000);
  const left = compacted(messages, 8_000);
  equal(text(left[0]), text(user("a")));
  ok(left.length < messages.length / 2);
  equal(historyProblem(left), undefined);
});

Deno.test("planCompaction() keeps what the harness told last in a turn that runs: its stage, for example", () => {
  const [asked, ...steps] = turn("a", 40, 3_000);
  const notes = [note("stage one"), ...steps.slice(0, 20), note("stage two"), ...steps.slice(20)];
  const left = compacted([asked ?? user("a"), ...notes], 8_000).map(text).join("");
  ok(left.includes("stage two") && !left.includes("stage one"));
});

Deno.test("planCompaction() finds nothing to leave out of one request", () => {
  equal(planCompaction([user("a")], 10), undefined);
  equal(planCompaction([], 10), undefined);
});

Deno.test("planCompaction() keeps the newest result that says that it stays, with its call", () => {
  const stays = { meta: { stays: "plan" } };
  const messages = [
    ...turn("a", 1),
    ...[user("b"), assistant(call("old")), result("old", "old plan", stays)],
    ...[
      assistant(call("new"), call("beside")),
      result("new", "new plan", stays),
      result("beside", "x"),
    ],
    ...turn("c", 1),
    ...turn("d", 1),
  ];
  const left = compacted(messages, 50_000);
  const kept = left.slice(0, left.findIndex(isSummary)).map(text).join("");
  ok(kept.includes("new plan") && !kept.includes("old plan"), kept);
  equal(historyProblem(left), undefined);
});

Deno.test("planCompaction() keeps a skill that was loaded, by the model or with /skill, and each once", () => {
  const skill = (name: string) => `[Skill: ${name}]\nSource: s\n\n${"y".repeat(6_000)} ${name}`;
  const load = (id: string, name: string) => [
    assistant(call(id)),
    result(id, skill(name), { meta: { stays: `skill ${name}` } }),
  ];
  const messages = [
    ...[user("a"), ...load("one", "tidy"), note(skill("brief")), assistant("a is done")],
    ...[...turn("b", 1), ...turn("c", 1), ...turn("d", 1)],
  ];
  const kept = (room: number) => {
    const left = compacted(compacted(messages, room), room).map(text).join("");
    return ["tidy", "brief"].map((name) => left.split(`y ${name}`).length - 1);
  };
  // Of those that all together are too large the newest; of one that is too large by itself nothing.
  equal([kept(20_000), kept(8_000), kept(2_000)], [[1, 1], [0, 1], [0, 0]]);
});

Deno.test("planCompaction() counts as cut only what is cut when it is sent", () => {
  const skill = result("s", "k".repeat(20_000), { meta: { stays: "skill a" } });
  const messages = [...turn("a", 2), user("b"), assistant(call("s")), skill];
  const size = (historyTokens: number) =>
    planCompaction(messages, 4_000, { historyTokens })?.staysTokens ?? 0;
  const [cut, uncut] = [size(1_000), size(100_000)];
  ok(uncut > cut + 500, `${cut}, ${uncut}`);
});

Deno.test("planCompaction() keeps the instructions of directories that the work has reached, the newest of each", () => {
  const told = (name: string, text: string) =>
    note(laterInstruction({ path: `/w/${name}`, shown: name, text, by: "project" }));
  const [a, b] = ["sub/AGENTS.md", "other/AGENTS.md"];
  const messages = [
    ...[user("a"), told(a, "tabs"), told(b, "short"), told(a, "spaces"), assistant("a is done")],
    ...[...turn("b", 1), ...turn("c", 1), ...turn("d", 1)],
  ];
  const left = compacted(messages, 20_000).map(text).join("");
  equal(["tabs", "short", "spaces"].map((word) => left.includes(word)), [false, true, true]);
});

Deno.test("planCompaction() leaves a history that every API takes, compaction after compaction", () => {
  const step = fc.constantFrom("say", "call", "calls", "note", "answer");
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60 }),
      fc.integer({ min: 10, max: 4_000 }),
      (steps, room) => {
        let history: readonly Message[] = [];
        steps.forEach((kind, n) => {
          const id = `c${n}`;
          const more: Record<typeof kind, Message[]> = {
            say: [user(`request ${n}`)],
            note: [note(`note ${n}`)],
            answer: [assistant(`answer ${n}`)],
            call: [assistant(call(id)), result(id, "y".repeat(900))],
            calls: [assistant(call(id), call(`${id}b`)), result(id, "y"), result(`${id}b`, "z")],
          };
          history = compacted([...history, ...more[kind]], room);
          equal(historyProblem(history), undefined);
          const said = steps.slice(0, n + 1).filter((one) => one === "say").length;
          if (room > 2_000) {
            equal(history.filter((message) => text(message).includes("request ")).length, said);
          }
        });
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("a compaction's record that names halves of a step leaves a valid history", () => {
  fc.assert(
    fc.property(
      fc.nat(14),
      fc.array(fc.record({ index: fc.nat(14), text: fc.string() })),
      (keepFrom, keep) => {
        const fold = new HistoryFold();
        for (const message of [...turn("a", 3), ...turn("b", 2)]) {
          fold.add({
            type: "message",
            message,
          });
        }
        fold.add({ type: "compaction", summary: "s", keepFrom, keep });
        equal(historyProblem(fold.messages()), undefined);
      },
    ),
    { numRuns: 100 },
  );
});

Deno.test("keptWords() keeps all requests whole where they fit", () => {
  equal(keptWords([user("a"), assistant("b"), user("c")], 100), [{ index: 0 }, { index: 2 }]);
});

Deno.test("keptWords() shortens only what is long, and leaves out images", () => {
  const image = { type: "image", mime: "image/png", data: PIXEL } as const;
  const kept = keptWords([user("short"), user("see", image), user("x".repeat(20_000))], 1_500);
  equal(kept.map(({ index, text }) => [index, text === undefined]), [[0, true], [1, false], [
    2,
    false,
  ]]);
  equal(kept[1]?.text, "see\n[an image was here]");
});

Deno.test("keptWords() gives up messages without a rule first", () => {
  const messages = Array.from(
    { length: 50 },
    (_, n) =>
      user(n === 20 ? "Never delete the index." : `${n}: go on with the next of the many files`),
  );
  const kept = keptWords(messages, 60).map(({ index }) => index);
  ok(kept.includes(0) && kept.includes(20) && kept.includes(49) && !kept.includes(1), String(kept));
});

Deno.test("essence() keeps the sentences that say what must not be done, in several languages", () => {
  const filler = "This is the log of the run, line after line. ".repeat(200);
  const rules = [
    "Do not touch vendor/.",
    "절대 커밋하지 마세요.",
    "不要修改 schema.sql。",
    "Ändere nie die Tests.",
  ];
  for (const rule of rules) {
    const short = essence(`Look at this.\n${filler}\n${rule}\n${filler}`, 1_000);
    ok(short.includes(rule), rule);
    ok(short.length < 1_300);
  }
});

Deno.test("plainSummary() says what was called, changed and said last, and what an earlier summary said", () => {
  const first = compacted([...turn("a", 2), ...turn("b", 1), ...turn("c", 1)], 50_000);
  const changed = result("w", "written", { name: "write_file", changed: ["src/a.ts"] });
  const summary = plainSummary([...first, assistant(call("w", "write_file")), changed]);
  match(summary, /^what was done\n/);
  match(summary, /write_file 1×/);
  match(summary, /Files changed: src\/a\.ts/);
  match(summary, /Last said by you: c is done/);
});

Deno.test("summaryTokensFor() is shorter for small models", () => {
  const own = (parameters?: number) =>
    summaryTokensFor({ isSelfHosted: true, ...(parameters && { parameters }) });
  equal([own(4e9), own(), own(8e9), own(27e9), summaryTokensFor({ isSelfHosted: false })], [
    250,
    300,
    400,
    600,
    400,
  ]);
});
