import { deepStrictEqual as equal, match, rejects } from "node:assert/strict";
import { join } from "node:path";
import { PersonError } from "@/protocol/error.ts";
import { isNo, isYes, requireTerms, TERMS_QUESTION, TERMS_TEXT } from "@/settings/terms.ts";
import { withWorkspace } from "../support/workspace.ts";

const now = () => new Date("2026-03-04T05:06:07.890Z");

/** Someone who gives one answer, and what was put to them. */
function asker(answer: string) {
  const asked: string[] = [];
  const ask = (text: string, question: string) => {
    asked.push(text, question);
    return Promise.resolve(answer);
  };
  return { ask, asked };
}

Deno.test("requireTerms() asks once and keeps the answer", async () => {
  await withWorkspace(async (dir) => {
    const file = join(dir, "home/accepted-terms.json");
    const { ask, asked } = asker("Yes ");
    equal(await requireTerms({ file, env: {}, ask, now }), []);
    equal(asked, [TERMS_TEXT, TERMS_QUESTION]);
    equal(JSON.parse(await Deno.readTextFile(file)), {
      version: 1,
      accepted: "2026-03-04T05:06:07.890Z",
    });
    equal(await requireTerms({ file, env: {} }), [], "also without a terminal now");
    await requireTerms({ file, env: {}, ask });
    equal(asked.length, 2);
  });
});

Deno.test("requireTerms() starts nothing and keeps nothing when the answer is no", async () => {
  await withWorkspace(async (dir) => {
    const file = join(dir, "accepted-terms.json");
    for (const answer of ["", "n", "no", "ok", "yep", "yes please", "1", "ja"]) {
      await rejects(requireTerms({ file, env: {}, ask: asker(answer).ask }), {
        name: "PersonError",
        kind: "terms",
        message: "Not started: the terms of use were not accepted",
      });
    }
    equal([...Deno.readDirSync(dir)], []);
  });
});

Deno.test("requireTerms() without a terminal refuses and says how to accept", async () => {
  await withWorkspace(async (dir) => {
    await rejects(requireTerms({ file: join(dir, "terms.json"), env: {} }), (error) => {
      if (!(error instanceof PersonError)) return false;
      equal(error.kind, "terms");
      match(error.message, /^Not started: .* no terminal to ask in$/);
      match(error.hint, /HARNESS_ACCEPT_TERMS=1/);
      return true;
    });
  });
});

Deno.test("requireTerms() takes HARNESS_ACCEPT_TERMS for an answer and keeps no record of it", async () => {
  await withWorkspace(async (dir) => {
    const file = join(dir, "terms.json");
    for (const text of ["1", "true", "TRUE", "yes", " Yes "]) {
      equal(await requireTerms({ file, env: { HARNESS_ACCEPT_TERMS: text } }), []);
    }
    for (const text of ["", "0", "false", "no", "2", "on"]) {
      await rejects(requireTerms({ file, env: { HARNESS_ACCEPT_TERMS: text } }), PersonError);
    }
    equal([...Deno.readDirSync(dir)], []);
  });
});

Deno.test("requireTerms() takes only a record of this or a later version for an acceptance", async () => {
  await withWorkspace(async (dir) => {
    const file = join(dir, "terms.json");
    const records: readonly [text: string, isAccepted: boolean][] = [
      ['{"version": 1}', true],
      ['{"version": 2, "accepted": "2027", "by": "me"}', true],
      ['{"version": 0}', false],
      ['{"version": "1"}', false],
      ['{"version": null}', false],
      ["{}", false],
      ["1", false],
      ["{", false],
      ["", false],
    ];
    for (const [text, isAccepted] of records) {
      await Deno.writeTextFile(file, text);
      const outcome = await requireTerms({ file, env: {} }).then(() => true, () => false);
      equal(outcome, isAccepted, text);
    }
    await Deno.remove(file);
    await Deno.mkdir(file);
    await rejects(requireTerms({ file, env: {} }), PersonError);
  });
});

Deno.test("requireTerms() goes on when the answer cannot be kept, and says so", async () => {
  await withWorkspace(async (dir) => {
    await Deno.writeTextFile(join(dir, "home"), "a file");
    const notices = await requireTerms({
      file: join(dir, "home/terms.json"),
      env: {},
      ask: asker("y").ask,
    });
    equal(notices.length, 1);
    match(
      notices[0] ?? "",
      /^The acceptance of the terms cannot be kept \(.+\); it will be asked again$/,
    );
  });
});

Deno.test("isNo() takes a plain no, and nothing that begins to talk", () => {
  equal(["", " ", "n", "N", " no\n", "No"].map(isNo), [true, true, true, true, true, true]);
  equal(["y", "not yet", "none of it", "What is here?", "/help"].map(isNo), [
    ...[false, false, false, false, false],
  ]);
});

Deno.test("isYes() takes y and yes only", () => {
  equal(["y", "Y", " yes\n", "YES"].map(isYes), [true, true, true, true]);
  equal(["", "n", "yy", "yes!", "on", "true"].map(isYes), [
    false,
    false,
    false,
    false,
    false,
    false,
  ]);
});
