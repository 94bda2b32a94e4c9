/** A text in the person's own editor: $VISUAL, $EDITOR, else what is there. */
import { join } from "@/lib/path.ts";
import { isThere } from "@/lib/is_there.ts";
import { PersonError } from "@/protocol/error.ts";
import { findProgram } from "@/sandbox/program.ts";
import { runInTerminal } from "@/sandbox/spawn.ts";

export type EditorOptions = {
  /** The environment as the person had it. */
  env: Readonly<Record<string, string>>;
  cwd: string;
};

/** Tried in this order where nothing is set. */
const USUAL = ["nano", "vim", "vi"] as const;

/**
 * Edit a text; the terminal has to be free. Resolves to the text as it was saved, without the line end that editors add.
 * Throws PersonError when there is no editor, and when it ends with an error: the text is then as it was, and what had been
 * saved of another stays where it is.
 */
export async function editText(text: string, options: EditorOptions): Promise<string> {
  const { program, args } = await editorOf(options);
  // A directory of our own: editors leave backups and swap files beside the file.
  const dir = await Deno.makeTempDir({ prefix: "harness-message-" });
  const file = join(dir, "message.md");
  const given = text.endsWith("\n") || text === "" ? text : `${text}\n`;
  let isLeft = false;
  try {
    await Deno.writeTextFile(file, given);
    const code = await runInTerminal({ program, args: [...args, file], ...options });
    if (code === 0) {
      return (await Deno.readTextFile(file)).replaceAll("\r\n", "\n").replace(/\n$/, "");
    }
    isLeft = await isThere(file) && await Deno.readTextFile(file) !== given;
    throw ended(args.at(-1) ?? program, { code, ...(isLeft ? { saved: file } : {}) });
  } finally {
    if (!isLeft) await Deno.remove(dir, { recursive: true });
  }
}

/** The program, and what stands before the file. A setting with arguments is a shell line of the person's own. */
async function editorOf(
  { env }: EditorOptions,
): Promise<{ program: string; args: readonly string[] }> {
  const chosen = (env["VISUAL"] ?? "").trim() || (env["EDITOR"] ?? "").trim();
  if (chosen !== "" && Deno.build.os !== "windows") {
    return { program: "/bin/sh", args: ["-c", 'eval "exec $0 \\"\\$1\\""', chosen] };
  }
  if (chosen !== "") {
    const [program = chosen, ...args] = chosen.split(/\s+/);
    return { program, args };
  }
  for (const name of Deno.build.os === "windows" ? ["notepad"] : USUAL) {
    const program = await findProgram(name, { path: env["PATH"] ?? env["Path"] ?? "" });
    if (program !== undefined) return { program, args: [] };
  }
  throw new PersonError(
    "usage",
    "Cannot edit the text outside: neither VISUAL nor EDITOR is set, and nano, vim and vi are not on PATH",
    "Set EDITOR to your editor",
  );
}

function ended(
  editor: string,
  { code, saved }: { code: number; saved?: string },
): PersonError {
  const kept = saved === undefined ? "" : `; what was saved in it is in "${saved}"`;
  return new PersonError(
    "usage",
    `The editor "${editor}" ended with exit code ${code}; the text is as it was${kept}`,
    "Check EDITOR, or leave the editor without an error",
  );
}
