/** The `mentions.find`, `memory` and `skills` vectors against real files. */
import { join } from "node:path";
import { z } from "zod";
import { resultText } from "@/lib/tool_result.ts";
import { MemoryStore } from "@/memory/store.ts";
import { isSkillLoaded } from "@/features/skills/loaded.ts";
import { SkillLibrary } from "@/skills/library.ts";
import { readSkill } from "@/skills/skill.ts";
import { memoryTools, skillTools } from "@/tools/mod.ts";
import { findMentions } from "@/workspace/mentions.ts";
import type { Message, Part } from "@/protocol/message.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { mentionReader } from "../support/mention_reader.ts";
import { callTool, testHost } from "../support/tool_host.ts";
import { withTree } from "../verify/tree.ts";
import type { Adapter, Adapters } from "./adapter.ts";

const TREE = {
  "notes.txt": "a note\n",
  "lib/app.ts": Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join(""),
  "my file.txt": "mine\n",
  ".hidden": "hidden\n",
};

const mentionInput = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ file_chars: z.number() }),
]);

const mentions: Adapter = async (raw) => {
  const input = mentionInput.parse(raw);
  let outcome: unknown;
  const long = "file_chars" in input ? "a line of text\n".repeat(input.file_chars / 15) : "";
  await withTree({ ...TREE, "long.txt": long }, async (dir) => {
    const { reader, notices } = mentionReader(dir);
    const text = "text" in input ? input.text : "@long.txt";
    const sent = await reader.said([{ type: "text", text }], new AbortController().signal);
    const attached = sent.slice(1).map(textOf);
    if (!("text" in input)) {
      const [only = ""] = attached;
      outcome = {
        attached_chars_max: only.length,
        says_cut: /cut here.*read_file/.test(only.split("\n").at(-1) ?? ""),
      };
      return;
    }
    const exists = async (path: string) => {
      const info = await Deno.stat(join(dir, path)).catch(() => undefined);
      return info !== undefined;
    };
    const { found, missing } = await findMentions(text, { exists });
    outcome = {
      mentions: [...found.map(({ path }) => path), ...missing],
      attached: attached.map((one) => /^\[Attached [a-z ]+: (.*)\]$/m.exec(one)?.[1]),
      message: sent.map(textOf).join("\n\n"),
      reported: notices.map((notice) => /^"@(.*?)"/.exec(notice)?.[1]),
    };
  });
  return outcome;
};

function textOf(part: Part | undefined): string {
  return part?.type === "text" ? part.text : "";
}

const memoryInput = z.union([
  z.strictObject({ content_chars: z.number() }),
  z.strictObject({ file: z.record(z.string(), z.unknown()) }),
  z.strictObject({ id: z.string() }),
]);

/** The tools over a real file; `id` is edited, and of a file's first entry is read and edited. */
const memory: Adapter = async (raw) => {
  const input = memoryInput.parse(raw);
  let outcome: unknown;
  await withTree({}, async (dir) => {
    const path = join(dir, "memory.json");
    if ("file" in input) await Deno.writeTextFile(path, JSON.stringify(input.file));
    const tools = memoryTools(new MemoryStore(path));
    const run = async (name: string, given: Record<string, unknown>) => {
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error(`No tool is named "${name}"`);
      const result = await callTool(tool, given, testHost(dir));
      return { status: result.status, text: resultText(result, { name, input: given }) };
    };
    if ("content_chars" in input) {
      await run("write_memory", { id: "long", content: "x".repeat(input.content_chars) });
      const { text } = await run("get_memory_list", {});
      outcome = { preview: /x+/.exec(text)?.[0].length };
      return;
    }
    const id = "id" in input ? input.id : Object.keys(input.file)[0] ?? "";
    const read = await run("read_memory", { id });
    const edit = await run("edit_memory", { id, new_content: "other" });
    outcome = { read: read.text, edit: edit.status, starts_with: edit.text };
  });
  return outcome;
};

const skillInput = z.union([
  z.strictObject({ text: z.string(), folder: z.string().default("git-commit") }),
  z.strictObject({ calls: z.array(z.string()) }),
  z.strictObject({ call: z.string() }),
  z.strictObject({ body_chars: z.number() }),
]);

const skillFile = (name: string, body: string) =>
  `---\nname: ${name}\ndescription: d\n---\n${body}`;

const skills: Adapter = async (raw) => {
  const input = skillInput.parse(raw);
  if ("text" in input) {
    const { name, description, allowedTools, body } = readSkill(input.text, input.folder);
    return { name, description, allowed_tools: [...allowedTools], body };
  }
  const long = "body_chars" in input ? "y".repeat(input.body_chars) : "z";
  const tree = {
    "x/SKILL.md": skillFile("x", "body of x"),
    "git-commit/SKILL.md": skillFile("git-commit", "how"),
    "long/SKILL.md": skillFile("long", long),
  };
  let outcome: unknown;
  await withTree(tree, async (dir) => {
    const library = new SkillLibrary({
      folders: () => Promise.resolve([{ path: dir, name: "skills", by: "person" }]),
      manifest: () => Promise.resolve(undefined),
      isTrusted: () => false,
    });
    await library.scan();
    const log: Message[] = [];
    const tools: readonly ToolSpec[] = skillTools({
      library,
      isLoaded: (name) => isSkillLoaded(log, name, tools),
    });
    const [tool] = tools;
    if (tool === undefined) throw new Error("There is no tool for skills");
    const use = async (name: string) => {
      const result = await callTool(tool, { skill_name: name }, testHost(dir));
      log.push({ role: "tool", callId: `c${log.length}`, name: tool.name, result });
      return result.text;
    };
    if ("calls" in input) {
      const [, second = ""] = await Array.fromAsync(
        input.calls,
        (line) => use(line.split(" ")[1] ?? ""),
      );
      outcome = { second: /already loaded/.exec(second)?.[0] };
    } else if ("call" in input) {
      outcome = { skill: /^\[Skill: (.+)\]/.exec(await use(input.call))?.[1] };
    } else {
      const text = await use("long");
      outcome = { kept: /\[cut here/.test(text) ? /y{9,}/.exec(text)?.[0].length : undefined };
    }
  });
  return outcome;
};

export const adapters: Adapters = { "mentions.find": mentions, memory, skills };
