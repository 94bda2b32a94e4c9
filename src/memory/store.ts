/** What models keep across conversations: `memory.json`, id -> `{ content, created_at }`. Entries written by hand count too. */
import { clipEnd } from "@/lib/clip.ts";
import { isObject } from "@/lib/json.ts";
import { type JsonShape, readJsonFile, updateJsonFile } from "@/lib/json_file.ts";
import { PersonError } from "@/protocol/error.ts";

/** One memory. `at` is when it was written, as it stands in the file; "" where nobody wrote that down. */
export type Memory = { id: string; content: string; at: string; important: boolean };

/** What was there when something was to be written: the entry that has the id already. */
export type Written = { kind: "written" } | { kind: "taken"; memory: Memory };

type MemoryFile = Readonly<Record<string, unknown>>;

const shape: JsonShape<MemoryFile> = {
  read: (value) => {
    if (!isObject(value)) throw new Error("not an object of memories by their id");
    return value;
  },
  empty: () => ({}),
};

/** In a list of many. */
export const PREVIEW_CHARS = 50;
/** What important memories may take of the system prompt. */
const PROMPT_ENTRIES_MAX = 20;
const PROMPT_CHARS_MAX = 600;

/** One file of memories. Several processes may share it; each change is made to what the file says at that moment. */
export class MemoryStore {
  readonly #path: string;
  readonly #now: () => Date;

  constructor(path: string, now: () => Date = () => new Date()) {
    this.#path = path;
    this.#now = now;
  }

  /** All of them, in the order of the file. Throws PersonError where the file cannot be understood. */
  async list(): Promise<readonly Memory[]> {
    const { value, damaged } = await readJsonFile(this.#path, shape);
    if (damaged !== undefined) {
      throw new PersonError(
        "state",
        `Cannot read the memories in "${this.#path}": ${damaged.cause}`,
        "Repair the file or move it away",
      );
    }
    return memoriesOf(value);
  }

  async find(id: string): Promise<Memory | undefined> {
    return (await this.list()).find((memory) => memory.id === id);
  }

  /** Keep something new. An entry with that id and another content stays as it is and is handed back. */
  async write(
    { id, content, important }: Pick<Memory, "id" | "content" | "important">,
  ): Promise<Written> {
    let taken: Memory | undefined;
    await this.#change((file) => {
      const known = memoriesOf(file).find((memory) => memory.id === id);
      if (known !== undefined && known.content !== content) {
        taken = known;
        return undefined;
      }
      const entry = { content, created_at: known?.at || this.#now().toISOString() };
      return withEntry(file, id, important ? { ...entry, important } : entry);
    });
    return taken === undefined ? { kind: "written" } : { kind: "taken", memory: taken };
  }

  /** Give an entry another content; false when there is none with that id. What else it says is kept. */
  async edit(id: string, content: string): Promise<boolean> {
    let isThere = false;
    await this.#change((file) => {
      if (!Object.hasOwn(file, id)) return undefined;
      isThere = true;
      const known = file[id];
      const now = this.#now().toISOString();
      return withEntry(
        file,
        id,
        isObject(known) ? { ...known, content, updated_at: now } : { content, created_at: now },
      );
    });
    return isThere;
  }

  /** Remove an entry; what it said, or undefined when there was none. */
  async remove(id: string): Promise<string | undefined> {
    let content: string | undefined;
    await this.#change((file) => {
      const known = memoriesOf(file).find((memory) => memory.id === id);
      if (known === undefined) return undefined;
      content = known.content;
      return Object.fromEntries(Object.entries(file).filter(([name]) => name !== id));
    });
    return content;
  }

  async #change(change: (file: MemoryFile) => MemoryFile | undefined): Promise<void> {
    await updateJsonFile(this.#path, { ...shape, private: true, what: "the memories", change });
  }
}

function memoriesOf(file: MemoryFile): readonly Memory[] {
  return Object.entries(file).flatMap(([id, entry]) => {
    if (typeof entry === "string") return [{ id, content: entry, at: "", important: false }];
    if (!isObject(entry) || typeof entry.content !== "string") return [];
    const at = typeof entry.created_at === "string" ? entry.created_at : "";
    return [{ id, content: entry.content, at, important: entry.important === true }];
  });
}

/** Made of entries, so that an id like "__proto__" is one. */
function withEntry(file: MemoryFile, id: string, entry: unknown): MemoryFile {
  const others = Object.entries(file);
  const at = others.findIndex(([name]) => name === id);
  if (at < 0) return Object.fromEntries([...others, [id, entry]]);
  return Object.fromEntries(others.with(at, [id, entry]));
}

/** The beginning of a memory, in one line. */
export function preview({ content }: Memory): string {
  return clipEnd(content.replace(/\s+/g, " ").trim(), PREVIEW_CHARS);
}

/** The section of the system prompt: the important ones, and that there are others; "" without any. */
export function memorySection(memories: readonly Memory[]): string {
  if (memories.length === 0) return "";
  const important = memories.filter((memory) => memory.important);
  const shown = important.slice(0, PROMPT_ENTRIES_MAX).map(({ id, content }) =>
    `- ${id}: ${clipEnd(content.replace(/(?<!\s)\s*\n\s*/g, " ").trim(), PROMPT_CHARS_MAX)}`
  );
  const hint =
    "There are memories of earlier conversations: get_memory_list lists them, read_memory shows one whole.";
  if (shown.length === 0) return hint;
  const more = important.length > shown.length || memories.length > important.length;
  return [
    "What is to be kept in mind, from earlier conversations:",
    ...shown,
    ...(more ? [hint] : []),
  ]
    .join("\n");
}
