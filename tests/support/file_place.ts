/** A workspace with a real journal beside it and the file tools on top, for tests that work on real files. */
import { dirname, join } from "node:path";
import type { ToolHost, ToolResult, ToolSpec } from "@/protocol/tool.ts";
import { copyFile } from "@/tools/copy_file.ts";
import { createDir } from "@/tools/create_dir.ts";
import { deleteFile } from "@/tools/delete_file.ts";
import { editFile } from "@/tools/edit_file.ts";
import { listDir } from "@/tools/list_dir.ts";
import { readFile } from "@/tools/read_file.ts";
import { writeFile } from "@/tools/write_file.ts";
import { FileWork } from "@/workspace/file_work.ts";
import type { ViewBounds } from "@/workspace/file_view.ts";
import { Confine } from "@/workspace/confine.ts";
import { EditJournal } from "@/workspace/journal.ts";
import { Readings } from "@/workspace/readings.ts";
import { testHost } from "./tool_host.ts";
import { withWorkspace } from "./workspace.ts";

export type FilePlaceOptions = {
  bounds?: ViewBounds;
  /** Runs before the journal looks at the file, once for each edit: somebody else's change in between. */
  beforeJournal?(place: FilePlace): Promise<void>;
};

/** Paths are relative to the workspace. */
export class FilePlace {
  readonly tools: Readonly<Record<string, ToolSpec>>;

  constructor(readonly dir: string, readonly files: FileWork) {
    const list = [
      readFile(files),
      editFile(files),
      writeFile(files),
      deleteFile(files),
      copyFile(files),
      createDir(files),
      listDir,
    ];
    this.tools = Object.fromEntries(list.map((tool) => [tool.name, tool]));
  }

  path(name: string): string {
    return join(this.dir, name);
  }

  /** Run a tool as dispatch does: paths are resolved beforehand by the product's own confinement. */
  async call(name: string, input: unknown, raw: readonly string[] = []): Promise<ToolResult> {
    const tool = this.tools[name];
    if (tool === undefined) throw new Error(`No tool is named "${name}"`);
    const parsed = tool.input.parse(input);
    return await tool.run(parsed, await this.host(tool, parsed, raw));
  }

  /** What a question about the call would show. */
  async preview(name: string, input: unknown): Promise<string | undefined> {
    const tool = this.tools[name];
    if (tool === undefined) throw new Error(`No tool is named "${name}"`);
    const parsed = tool.input.parse(input);
    return await tool.preview?.(parsed, await this.host(tool, parsed, []));
  }

  async host(
    tool: ToolSpec,
    input: Record<string, unknown>,
    raw: readonly string[],
  ): Promise<ToolHost> {
    const confine = new Confine({ workspace: this.dir, added: [] });
    const subject = tool.subject(input);
    const real = new Map<string, string>();
    if (subject.kind === "path") {
      for (const path of subject.paths) {
        const effect = subject.reads?.includes(path) === true ? "reads" : tool.effect(input);
        const found = await confine.resolve(path, effect, { leaf: subject.leaf ?? "follow" });
        if (found.refusal !== undefined) throw new Error(found.refusal);
        real.set(path, found.real);
      }
    }
    return testHost(this.dir, {
      call: { id: "call-1", name: tool.name, turn: 1, raw },
      resolved: (path) => {
        const found = real.get(path);
        if (found === undefined) throw new Error(`"${path}" was not declared`);
        return found;
      },
    });
  }

  async put(name: string, content: string | Uint8Array, mode?: number): Promise<void> {
    const path = this.path(name);
    await Deno.mkdir(dirname(path), { recursive: true });
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await Deno.writeFile(path, bytes);
    if (mode !== undefined) await Deno.chmod(path, mode);
  }

  async bytes(name: string): Promise<Uint8Array> {
    return await Deno.readFile(this.path(name));
  }

  async text(name: string): Promise<string> {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      await this.bytes(name),
    );
  }

  /** The anchors of a file's rows as read_file shows them, by line. */
  async anchors(name: string): Promise<string[]> {
    const { text } = await this.call("read_file", { filepath: name });
    return text.split("\n").map((line) => /^\d+:[0-9a-f]{3}/.exec(line)?.[0] ?? "");
  }
}

export async function withFiles(
  body: (place: FilePlace) => Promise<void>,
  { bounds, beforeJournal }: FilePlaceOptions = {},
): Promise<void> {
  await withWorkspace(async (root) => {
    const dir = join(root, "ws");
    await Deno.mkdir(dir);
    const stateDir = join(root, "state");
    using journal = await EditJournal.open({ stateDir, workspace: dir, session: "s" });
    const edit: EditJournal["edit"] = async (asked) => {
      await beforeJournal?.(place);
      return await journal.edit(asked);
    };
    const viewBounds = bounds === undefined ? {} : { viewBounds: () => bounds };
    const files = new FileWork({ journal: { edit }, readings: new Readings(), ...viewBounds });
    const place = new FilePlace(dir, files);
    await body(place);
  });
}

/** Bytes from text and numbers: `bytes("a", 0xff, "\r\n")`. */
export function bytesOf(...parts: readonly (string | number)[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === "number" ? [part] : [...new TextEncoder().encode(part)]
    ),
  );
}
