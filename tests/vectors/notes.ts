/** The `mentions.find`, `memory` and `skills` vectors against real files. */
import { join } from "node:path";
import { z } from "zod";
import { findMentions } from "@/workspace/mentions.ts";
import type { Part } from "@/protocol/message.ts";
import { mentionReader } from "../support/mention_reader.ts";
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

export const adapters: Adapters = { "mentions.find": mentions };
