/** What the journal's tests share: a workspace with its state directory beside it, and short forms of edits. */
import { dirname, join } from "node:path";
import { EditJournal, type EntryState, type JournalOptions } from "@/workspace/journal.ts";
import { withWorkspace } from "../support/workspace.ts";

export const ABSENT: EntryState = { kind: "absent" };

export function file(text: string, mode = 0): EntryState {
  return { kind: "file", bytes: new TextEncoder().encode(text), mode };
}

/** A workspace `ws` with the state directory beside it, outside of every tool's reach. */
export class Tree {
  readonly ws: string;
  readonly state: string;
  #open: EditJournal[] = [];

  constructor(readonly dir: string) {
    this.ws = join(dir, "ws");
    this.state = join(dir, "state");
    Deno.mkdirSync(this.ws, { recursive: true });
  }

  async journal(options: Partial<JournalOptions> = {}): Promise<EditJournal> {
    const journal = await EditJournal.open({
      stateDir: this.state,
      workspace: this.ws,
      session: "s",
      ...options,
    });
    this.#open.push(journal);
    return journal;
  }

  path(rel: string): string {
    return join(this.ws, rel);
  }

  put(rel: string, text: string, mode = 0o644): string {
    const path = this.path(rel);
    Deno.mkdirSync(dirname(path), { recursive: true });
    Deno.writeTextFileSync(path, text);
    Deno.chmodSync(path, mode);
    return path;
  }

  /** Everything in the workspace: files with mode and text, links with their target, directories. */
  shot(): Record<string, string> {
    const shot: Record<string, string> = {};
    const visit = (dir: string, prefix: string) => {
      for (const entry of Deno.readDirSync(dir)) {
        const path = join(dir, entry.name);
        const rel = prefix + entry.name;
        if (entry.isSymlink) shot[rel] = `-> ${Deno.readLinkSync(path)}`;
        else if (entry.isDirectory) shot[`${rel}/`] = "dir";
        else {
          const mode = ((Deno.lstatSync(path).mode ?? 0) & 0o7777).toString(8);
          shot[rel] = `${mode} ${Deno.readTextFileSync(path)}`;
        }
        if (entry.isDirectory) visit(path, `${rel}/`);
      }
    };
    visit(this.ws, "");
    return shot;
  }

  /** The lines of the journal, without what changes from run to run. */
  lines(): Record<string, unknown>[] {
    return Deno.readTextFileSync(join(this.storeDir(), "journal.jsonl")).split("\n")
      .filter((line) => line !== "").map((line) => JSON.parse(line));
  }

  storeDir(): string {
    const [store] = [...Deno.readDirSync(join(this.state, "undo"))];
    return join(this.state, "undo", store?.name ?? "");
  }

  close(): void {
    for (const journal of this.#open) journal.close();
  }
}

export async function withTree(body: (tree: Tree) => Promise<void>): Promise<void> {
  await withWorkspace(async (dir) => {
    const tree = new Tree(dir);
    try {
      await body(tree);
    } finally {
      tree.close();
    }
  });
}

/** An edit of one path from what is expected to what it is to be. */
export async function write(
  journal: EditJournal,
  path: string,
  { expected = "unchecked", after, turn = 1, tool = "write_file" }: {
    expected?: EntryState | "unchecked";
    after: EntryState;
    turn?: number;
    tool?: string;
  },
): Promise<{ id: string; changed: readonly string[] }> {
  return await journal.edit({ tool, callId: "c1", turn, changes: [{ path, expected, after }] });
}
