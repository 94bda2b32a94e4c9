/** `harness acp` as an editor drives it: the SDK's client side over the pipes of the real program. */
import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { methods, type SessionUpdate } from "@agentclientprotocol/sdk";
import { assertProtocol } from "../support/acp_schema.ts";
import { type Editor, withEditor } from "../support/acp_client.ts";
import type { Script } from "../support/fake_api.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { type Scripted, withScript } from "../support/scripted_world.ts";

const { session } = methods.agent;

async function begin({ agent }: Editor, { dir }: Scripted): Promise<string> {
  return (await agent.request(session.new, { cwd: dir, mcpServers: [] })).sessionId;
}

function say({ agent }: Editor, sessionId: string, text: string) {
  return agent.request(session.prompt, { sessionId, prompt: [{ type: "text", text }] });
}

function ofKind<K extends SessionUpdate["sessionUpdate"]>({ updates }: Editor, kind: K) {
  return updates.map(({ update }) => update).filter((update): update is Extract<
    SessionUpdate,
    { sessionUpdate: K }
  > => update.sessionUpdate === kind);
}

function textOf(editor: Editor): string {
  return ofKind(editor, "agent_message_chunk")
    .map(({ content }) => content.type === "text" ? content.text : "").join("");
}

const EDIT: Script = [
  { calls: [{ name: "write_file", arguments: { filepath: "a.txt", content: "one\n" } }] },
  { text: "Written." },
];

Deno.test("acp: a turn streams text, calls with kind, place and diff, and asks with what an approval offers", () =>
  withScript(EDIT, async (made) => {
    await withEditor(made, { answer: () => "allow" }, async (editor) => {
      const id = await begin(editor, made);
      equal(await say(editor, id, "write a.txt"), { stopReason: "end_turn" });
      equal(await Deno.readTextFile(join(made.dir, "a.txt")), "one\n");
      const path = join(made.dir, "a.txt");
      const [call] = ofKind(editor, "tool_call");
      equal([call?.kind, call?.status, call?.locations], ["edit", "pending", [{ path }]]);
      const [question] = editor.questions;
      equal(question?.toolCall.toolCallId, call?.toolCallId);
      equal(question?.options.map(({ kind }) => kind), [
        "allow_once",
        "allow_always",
        "allow_always",
        "reject_once",
      ]);
      equal(question?.toolCall.content?.[0], { type: "diff", path, oldText: null, newText: "one" });
      const last = ofKind(editor, "tool_call_update").at(-1);
      equal([last?.status, last?.title], ["completed", "created a.txt"]);
      equal(last?.content, [{ type: "diff", path, oldText: null, newText: "one" }]);
      match(textOf(editor), /Written\./);
      equal(await editor.leave(), 0);
      editor.lines.forEach(assertProtocol);
    });
  }));

const SLEEP: ScriptedReply = {
  calls: [{ name: "run_cmd", arguments: { command: "echo begun; sleep 60" } }],
};

Deno.test("acp: a cancelled turn is answered as cancelled, whatever it was doing, and the session goes on", () =>
  withScript([SLEEP, { text: "Here." }], async (made) => {
    await withEditor(made, { args: ["--auto"] }, async (editor) => {
      const id = await begin(editor, made);
      const turn = say(editor, id, "sleep");
      await editor.until(() => ofKind(editor, "tool_call_update").some(({ content }) => content));
      await rejects(say(editor, id, "more"), /The session is at work/);
      const from = performance.now();
      await editor.agent.notify(session.cancel, { sessionId: id });
      equal(await turn, { stopReason: "cancelled" });
      const ms = performance.now() - from;
      ok(ms < 30_000, `took ${ms} ms`);
      equal(ofKind(editor, "tool_call_update").at(-1)?.status, "failed");
      equal(await say(editor, id, "still there?"), { stopReason: "end_turn" });
      match(textOf(editor), /Here\./);
    });
  }));

Deno.test("acp: a question that stands when the turn is cancelled is taken back, and nothing was done", () =>
  withScript(EDIT, async (made) => {
    await withEditor(made, { answer: () => undefined }, async (editor) => {
      const id = await begin(editor, made);
      const turn = say(editor, id, "write");
      await editor.until(() => editor.questions.length === 1);
      await editor.agent.notify(session.cancel, { sessionId: id });
      equal(await turn, { stopReason: "cancelled" });
      await rejects(Deno.stat(join(made.dir, "a.txt")), Deno.errors.NotFound);
      ok(editor.lines.some((line) => JSON.parse(line).method === "$/cancel_request"));
    });
  }));

Deno.test("acp: two sessions work side by side, and a saved one is told again from its log", () =>
  withScript((body) => {
    const { messages } = body as { messages: { role: string; content: string }[] };
    const word = messages.findLast(({ role }) => role === "user")?.content;
    return { text: `You said ${word}.`, usage: { input: 9_000, output: 5 } };
  }, async (made) => {
    const other = join(made.root, "other");
    await Deno.mkdir(other);
    await withEditor(made, {}, async (editor) => {
      const { agent } = editor;
      const id = await begin(editor, made);
      const beside = (await agent.request(session.new, { cwd: other, mcpServers: [] })).sessionId;
      await Promise.all([say(editor, id, "one"), say(editor, beside, "two")]);
      for (const [sessionId, word] of [[id, "one"], [beside, "two"]] as const) {
        const said = editor.updates.filter((one) => one.sessionId === sessionId)
          .map(({ update }) =>
            update.sessionUpdate === "agent_message_chunk" ? update.content : undefined
          )
          .map((content) => content?.type === "text" ? content.text : "").join("");
        equal(said, `You said ${word}.`);
      }
      const relative = { sessionId: id, cwd: "ws", mcpServers: [] };
      await rejects(agent.request(session.load, relative), /"ws" is no absolute path/);
      equal(await say(editor, id, "still open?"), { stopReason: "end_turn" });
      const link = join(made.root, "link");
      await Deno.symlink(made.dir, link);
      const { sessions } = await agent.request(session.list, { cwd: link });
      equal(sessions.map(({ sessionId, cwd }) => [sessionId, cwd]), [[id, made.dir]]);
      await agent.request(session.close, { sessionId: id });
      await rejects(say(editor, id, "gone?"), /No session ".*" is open here/);
      editor.updates.length = 0;
      await agent.request(session.load, { sessionId: id, cwd: made.dir, mcpServers: [] });
      const [user] = ofKind(editor, "user_message_chunk");
      equal(user?.content, { type: "text", text: "one" });
      equal(textOf(editor), "You said one.You said still open?.");
      equal(await say(editor, id, "three"), { stopReason: "end_turn" });
      editor.lines.forEach(assertProtocol);
    });
  }));

Deno.test("acp: modes and options are set and told, also when a slash command changes them", () =>
  withScript(EDIT, async (made) => {
    await withEditor(made, {}, async (editor) => {
      const { agent } = editor;
      const id = await begin(editor, made);
      await agent.request(session.setMode, { sessionId: id, modeId: "plan" });
      await say(editor, id, "write");
      equal(ofKind(editor, "tool_call_update").at(-1)?.status, "failed");
      equal(editor.questions.length, 0);
      await say(editor, id, "/planmode off");
      equal(ofKind(editor, "current_mode_update").map(({ currentModeId }) => currentModeId), [
        "plan",
        "ask",
      ]);
      const { configOptions } = await agent.request(session.setConfigOption, {
        sessionId: id,
        configId: "mode",
        value: "auto",
      });
      equal(configOptions.find(({ id }) => id === "mode")?.currentValue, "auto");
      const { configOptions: after } = await agent.request(session.setConfigOption, {
        sessionId: id,
        configId: "model",
        value: "ollama/other",
      });
      equal(after.find(({ id }) => id === "model")?.currentValue, "ollama/other");
      await rejects(
        agent.request(session.setMode, { sessionId: id, modeId: "yolo" }),
        /No mode has the id "yolo"/,
      );
      await rejects(
        agent.request(session.setConfigOption, {
          sessionId: id,
          configId: "model",
          value: "none/x",
        }),
        /"none" is none/,
      );
      await say(editor, id, "/exit");
      match(textOf(editor), /\/exit is for a terminal/);
    });
  }));

Deno.test("acp: what a session lacks is said with our sentence, and so is what a client does wrong", () =>
  withScript([], async (made) => {
    await withEditor(made, { env: { HARNESS_ACCEPT_TERMS: "" } }, async (editor) => {
      await rejects(begin(editor, made), (error: { code: number; message: string }) => {
        equal(error.code, -32000);
        match(error.message, /terms of use were never accepted here/);
        return true;
      });
      await rejects(
        editor.agent.request(session.new, { cwd: "ws", mcpServers: [] }),
        /"ws" is no absolute path/,
      );
      await rejects(editor.agent.request("session/no_such", {}), /Method not found/);
    });
    const nothing = { model: "", env: { OLLAMA_HOST: "http://127.0.0.1:1" } };
    await withEditor(made, nothing, async (editor) => {
      await rejects(begin(editor, made), (error: { code: number; message: string }) => {
        equal(error.code, -32000);
        match(error.message, /^No model is connected\. Ways to go on: /);
        return true;
      });
    });
  }));

Deno.test("acp: a provider that fails is the prompt's error, told once", () =>
  withScript([{ fault: { kind: "status", status: 401, body: { error: "no" } } }], async (made) => {
    await withEditor(made, {}, async (editor) => {
      const id = await begin(editor, made);
      await rejects(say(editor, id, "hi"), /Ollama/);
      equal(textOf(editor), "");
    });
  }));

Deno.test("acp: garbage and a line of 40 MB are answered as errors, and the next message counts", () =>
  withScript([{ text: "Fine." }], async (made) => {
    await withEditor(made, {}, async (editor) => {
      await editor.write('garbage\n[1,2]\n"text"\n{"jsonrpc":"2.0","id":1}\n');
      await editor.write(`{"x":"${"a".repeat(40 * 1024 * 1024)}"}\n`);
      const id = await begin(editor, made);
      equal(await say(editor, id, "hi"), { stopReason: "end_turn" });
      match(editor.stderr(), /a message of more than 32 MB was not read/);
      const codes = editor.lines.map((line) => JSON.parse(line).error?.code).filter((one) => one);
      equal(codes.slice(0, 3), [-32700, -32600, -32600]);
      ok(codes.slice(3).includes(-32700));
    });
  }));

for (const how of ["closes its end", "is killed"] as const) {
  Deno.test(`acp: when the client ${how} everything stops, and the session holds what was done`, () =>
    withScript([SLEEP], async (made) => {
      await withEditor(made, { args: ["--auto"] }, async (editor) => {
        const id = await begin(editor, made);
        const turn = say(editor, id, "sleep").catch((error: unknown) => error);
        await editor.until(() => ofKind(editor, "tool_call_update").some(({ content }) => content));
        if (how === "is killed") {
          editor.child.kill("SIGHUP");
          equal((await editor.child.status).code, 129);
        } else equal(await editor.leave(), 0);
        await turn;
        const [file] = [...Deno.readDirSync(join(made.home, "sessions"))]
          .filter(({ name }) => name.endsWith(".jsonl"));
        const log = await Deno.readTextFile(join(made.home, "sessions", file?.name ?? ""));
        const events = log.trim().split("\n").map((line) => JSON.parse(line).event);
        equal(events.at(-1), { type: "turn_end", turn: 1, stop: "abort" });
        ok(log.includes("Interrupted"));
        ok(log.includes(id));
      });
    }));
}

Deno.test("acp: links are mentions, what is embedded is data, and an editor's server needs a boundary", () =>
  withScript([{ text: "Read." }], async (made) => {
    await Deno.writeTextFile(join(made.dir, "linked file.txt"), "from the disk\n");
    await Deno.writeTextFile(join(made.dir, "secret.txt"), "not for you\n");
    await withEditor(made, {}, async (editor) => {
      const { sessionId } = await editor.agent.request(session.new, {
        cwd: made.dir,
        mcpServers: [{ name: "theirs", command: "sh", args: ["-c", "touch started"], env: [] }],
      });
      await editor.agent.request(session.prompt, {
        sessionId,
        prompt: [
          { type: "text", text: "Look at " },
          {
            type: "resource_link",
            name: "linked file.txt",
            uri: `file://${made.dir}/linked%20file.txt`,
          },
          {
            type: "resource",
            resource: { uri: "zed:///selection", text: "a buffer that says @secret.txt" },
          },
        ],
      });
      const asked = JSON.stringify(made.api.bodies[0]);
      match(asked, /from the disk/);
      match(asked, /a buffer that says @secret\.txt/);
      ok(!asked.includes("not for you"));
      await editor.until(() => /nothing on this machine would contain it/.test(textOf(editor)));
      await rejects(Deno.stat(join(made.dir, "started")), Deno.errors.NotFound);
    });
  }));
