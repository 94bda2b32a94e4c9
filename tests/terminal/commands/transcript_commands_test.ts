import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { testHost } from "../../support/command_host.ts";
import { testView } from "../../support/transcript_view.ts";
import { frameOf, matchFrame } from "../../support/cells.ts";

const REPLY =
  "Do this:\n\n1. First\n\n   ```sh\n   echo one\n   ```\n\n```\n\ttwo\n```\n\n    three\n";

Deno.test("/copy copies the last reply, or a block of code of it, as it was written", async () => {
  const host = testHost({ reply: REPLY });
  for (const line of ["/copy", "/copy 1", "/copy 2", "/copy 3"]) {
    ok((await host.run(line)).ok, line);
  }
  equal(host.copied, [REPLY, "echo one", "\ttwo", "three"]);
});

Deno.test("/copy says why there is nothing to copy", async () => {
  const said = async (line: string, reply?: string) => {
    const host = testHost(reply === undefined ? {} : { reply });
    const { ok: isOk, text } = await host.run(line);
    equal([isOk, host.copied], [false, []]);
    return text;
  };
  equal(await said("/copy"), "The model has not said anything yet");
  equal(await said("/copy 1", "words"), "There is no block 1: the last reply has no block of code");
  equal(await said("/copy 4", REPLY), "There is no block 4: the last reply has 3 blocks of code");
  match(await said("/copy all", REPLY), /does not know "all"; it takes the number/);
  match(await said("/copy 0", REPLY), /does not know "0"/);
});

Deno.test("/raw gives the same as a text that is shown as it is", async () => {
  const host = testHost({ reply: REPLY });
  equal(await host.run("/raw"), { ok: true, text: REPLY, as: "source" });
  equal(await host.run("/raw 2"), { ok: true, text: "\ttwo", as: "source" });
  equal((await host.run("/raw 9")).ok, false);
});

Deno.test("/history opens the viewer, and says what else there is on a plain screen", async () => {
  const host = testHost();
  equal(await host.run("/history"), { ok: true, text: "" });
  equal(host.opened.times, 1);
  const plain = await testHost({ hasViewer: false }).run("/history");
  match(plain.ok ? "" : plain.text, /no viewer; \/export/);
});

Deno.test("/think and /fullcontent turn a setting for this session, and say how it is", async () => {
  const host = testHost();
  equal(await host.run("/think on"), {
    ok: true,
    text: "thinking is shown: on, for this session; /set SHOW_THINKING on is for good",
  });
  equal(await host.run("/think"), { ok: true, text: "thinking is shown: on" });
  equal(await host.run("/think off"), {
    ok: true,
    text: "thinking is shown: off, for this session; /set SHOW_THINKING off is for good",
  });
  equal(await host.run("/fullcontent on"), {
    ok: true,
    text:
      "files are shown whole: on, for this session; /set RETURN_ALL_FILE_CONTENT on is for good",
  });
  equal((await host.run("/think maybe")).text, '/think takes on or off, not "maybe"');
  equal([...host.switches], [["SHOW_THINKING", false], ["RETURN_ALL_FILE_CONTENT", true]]);
});

Deno.test("/copy, /history and /registers are refused without a screen", async () => {
  for (const line of ["/copy", "/history", "/registers"]) {
    const result = await testHost({ isInteractive: false, reply: REPLY }).run(line);
    match(result.ok ? "" : result.text, /needs the interactive screen/);
  }
});

Deno.test("/registers shows one of everything, on the screen alone", async () => {
  const host = testHost();
  equal(await host.run("/registers"), { ok: true, text: "" });
  const { view } = await testView();
  for (const event of host.shown) view.sink(event);
  await matchFrame("sample-80", await frameOf(view.takeFinished(80), 80));
  const plain = await testHost({ hasViewer: false }).run("/registers");
  match(plain.text, /^question: /m);
});
