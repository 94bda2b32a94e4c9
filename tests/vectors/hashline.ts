/** The hashline vectors: fingerprint, listing, edit, echo and prefixes, by the tools on real files where files are meant. */
import { join } from "node:path";
import { z } from "zod";
import type { ToolResult, ToolSpec } from "@/protocol/tool.ts";
import { bind } from "@/agent/bind.ts";
import { editFile } from "@/tools/edit_file.ts";
import { readFile } from "@/tools/read_file.ts";
import { writeFile } from "@/tools/write_file.ts";
import { echoWindows } from "@/workspace/echo.ts";
import { planEdit, type Planned } from "@/workspace/edit.ts";
import type { Refusal } from "@/workspace/edit_refusal.ts";
import { VIEW_BOUNDS, type ViewBounds, viewBoundsOf } from "@/workspace/file_view.ts";
import { FileWork } from "@/workspace/file_work.ts";
import { fingerprint, parseRow, row, stripPrefixes } from "@/workspace/hashline.ts";
import { EditJournal } from "@/workspace/journal.ts";
import { Readings } from "@/workspace/readings.ts";
import { splitLines } from "@/workspace/text_file.ts";
import { callTool, testHost } from "../support/tool_host.ts";
import { withWorkspace } from "../support/workspace.ts";
import type { Adapter } from "./adapter.ts";

const lineInput = z.strictObject({ line: z.string(), claimed: z.string().optional() });
const bytesInput = z.strictObject({ file_bytes_utf8: z.string() });
const cutInput = z.strictObject({
  settings: z.strictObject({
    RETURN_ALL_FILE_CONTENT: z.boolean(),
    FILE_MAX_DISPLAY_LENGTH: z.number(),
  }),
  file_lines: z.strictObject({ text: z.string(), count: z.number() }),
});
const editInput = z.strictObject({
  file: z.string(),
  old_content: z.string(),
  new_content: z.string(),
});
const bytesEditInput = z.strictObject({
  file_bytes: z.string(),
  old_content: z.string().optional(),
  new_content: z.string(),
});
const toolInput = z.strictObject({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  file_exists: z.boolean().optional(),
});
const echoInput = z.strictObject({ line_count: z.number(), changed: z.array(z.number()) });
const stripInput = z.strictObject({ body: z.string() });

export const adapters: Record<string, Adapter> = {
  "hashline.fingerprint": (input) => {
    const { line, claimed } = lineInput.parse(input);
    return { fingerprint: fingerprint(line), claimed_is_real: fingerprint(line) === claimed };
  },
  "hashline.listing": async (input) => {
    const cut = cutInput.safeParse(input);
    return cut.success ? await cutListing(cut.data) : await wholeListing(bytesInput.parse(input));
  },
  "hashline.edit": async (input) => {
    const edit = editInput.safeParse(input);
    if (edit.success) return await edited(edit.data);
    const bytes = bytesEditInput.safeParse(input);
    if (bytes.success) return await editedBytes(bytes.data);
    const tool = toolInput.safeParse(input);
    return tool.success ? await called(tool.data) : undefined;
  },
  "hashline.echo": (input) => {
    const { line_count, changed } = echoInput.parse(input);
    return { windows: echoWindows(changed.map((line) => ({ from: line, to: line })), line_count) };
  },
  "hashline.strip": (input) => ({ result: stripPrefixes(stripInput.parse(input).body) }),
};

type Place = {
  dir: string;
  files: FileWork;
  call(tool: ToolSpec, input: unknown): Promise<ToolResult>;
};

async function withFiles<T>(
  body: (place: Place) => Promise<T>,
  bounds: ViewBounds = VIEW_BOUNDS,
): Promise<T> {
  const result: T[] = [];
  await withWorkspace(async (root) => {
    const dir = join(root, "ws");
    await Deno.mkdir(dir);
    using journal = await EditJournal.open({
      stateDir: join(root, "state"),
      workspace: dir,
      session: "s",
    });
    const files = new FileWork({ journal, readings: new Readings(), viewBounds: () => bounds });
    const call = (tool: ToolSpec, input: unknown) => callTool(tool, input, testHost(dir));
    result.push(await body({ dir, files, call }));
  });
  const [only] = result;
  if (only === undefined) throw new Error("The workspace's body gave nothing");
  return only;
}

function wholeListing({ file_bytes_utf8 }: z.infer<typeof bytesInput>): Promise<unknown> {
  return withFiles(async ({ dir, files, call }) => {
    const path = join(dir, "f.txt");
    await Deno.writeTextFile(path, file_bytes_utf8);
    const listing = (await call(readFile(files), { filepath: "f.txt" })).text;
    const anchor = /^\d+:[0-9a-f]{3}\|/.exec(listing)?.[0] ?? "";
    await call(editFile(files), { filepath: "f.txt", new_content: `${anchor}edited first line` });
    const [mark, ...rest] = await Deno.readTextFile(path);
    const isKept = mark === "\ufeff" && rest.join("").startsWith("edited first line");
    return { listing, bom_preserved_on_edit: isKept };
  });
}

function cutListing({ settings, file_lines }: z.infer<typeof cutInput>): Promise<unknown> {
  return withFiles(async ({ dir, files, call }) => {
    const { text, count } = file_lines;
    await Deno.writeTextFile(join(dir, "f.txt"), `${text}\n`.repeat(count));
    const listing = (await call(readFile(files), { filepath: "f.txt" })).text.split("\n");
    const rows = listing.filter((line) => /^\s*\d+:[0-9a-f]{2,3}\b/.test(line));
    const marker = listing.slice(rows.length);
    return {
      cut_on_line_boundary: rows.length < count &&
        rows.every((shown, index) => shown === row({ line: index + 1, text })),
      marker_row_has_no_anchor: marker.length > 0 &&
        marker.every((line) => /start=\d+/.test(line) && !/^\s*\d+:/.test(line)),
    };
  }, viewBoundsOf(settings));
}

/** The plan says which form was taken; the tool on a real file says what came of it. */
function edited({ file, old_content, new_content }: z.infer<typeof editInput>): Promise<unknown> {
  return withFiles(async ({ dir, files, call }) => {
    const path = join(dir, "f.txt");
    await Deno.writeTextFile(path, file);
    const result = await call(editFile(files), { filepath: "f.txt", old_content, new_content });
    const plan = planEdit(splitLines(file), { path: "f.txt", old: old_content, new: new_content });
    return {
      outcome: outcomeOf(result),
      code: plan.kind === "planned" ? plan.form : plan.code,
      info: plan.kind === "planned"
        ? plannedInfo(plan)
        : refusedInfo(plan, { texts: splitLines(file), isRows: isAllRows(new_content) }),
      file_after: await Deno.readTextFile(path),
      message_mentions: result.text,
    };
  });
}

function isAllRows(body: string): boolean {
  return body.trim().split("\n").every((line) => parseRow(line) !== undefined);
}

function plannedInfo({ form, trusted, replacements, moved }: Planned): unknown {
  if (form === "rows") return [...trusted];
  const [first] = replacements;
  if (form === "text" || first === undefined) return undefined;
  return { lines: [first.from, first.to], moved };
}

/** A line that is not there is told by its number in the row form, and with the reason in the others. */
function refusedInfo(
  { code, lines, occurrences }: Refusal,
  { texts, isRows }: { texts: readonly string[]; isRows: boolean },
): unknown {
  const [first] = lines;
  const rows = lines.map((line) => row({ line, text: texts[line - 1] ?? "" }));
  switch (code) {
    case "line-named-twice":
      return first;
    case "anchor-mismatch":
      return rows[0];
    case "rows-without-hash":
      return rows;
    case "old-new-disagree":
      return [...lines];
    case "text-ambiguous":
      return occurrences;
    case "mismatch":
      return `mismatch:${first}`;
    case "backwards":
    case "not-contiguous":
      return code;
    case "no-such-line":
      return isRows ? first : `no-such-line:${first}`;
    case "indentation-doubled":
    case "joins-next-line":
    case "moved":
    case "nothing-named":
    case "stale":
    case "text-not-found":
      return undefined;
    default:
      return code satisfies never;
  }
}

function editedBytes(
  { file_bytes, old_content = "", new_content }: z.infer<typeof bytesEditInput>,
): Promise<unknown> {
  return withFiles(async ({ dir, files, call }) => {
    const path = join(dir, "f.txt");
    await Deno.writeTextFile(path, file_bytes);
    const result = await call(editFile(files), { filepath: "f.txt", old_content, new_content });
    return {
      outcome: outcomeOf(result),
      file_bytes_after: await Deno.readTextFile(path),
      message_mentions: result.text,
    };
  });
}

function called(
  { tool: name, arguments: input, file_exists }: z.infer<typeof toolInput>,
): Promise<unknown> {
  return withFiles(async ({ dir, files, call }) => {
    // As src/tools/mod.ts offers them.
    const tools = [writeFile(files), editFile(files), readFile(files)];
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) return undefined;
    const spelled = typeof input.filepath === "string" ? input.filepath : "f.txt";
    const path = join(dir, spelled);
    const before = "what was there\n";
    if (file_exists === true) await Deno.writeTextFile(path, before);
    const bound = bind(tool, input);
    const result: ToolResult = bound.ok
      ? await call(tool, bound.input)
      : { status: "failed", text: bound.problem };
    const isUnchanged = file_exists === true && await Deno.readTextFile(path) === before;
    const top = join(dir, spelled.split("/")[0] ?? "");
    return {
      outcome: outcomeOf(result),
      file_after: isUnchanged ? "unchanged" : "changed",
      directory_created: spelled.includes("/") && await isThere(top),
      message_mentions: result.text,
    };
  });
}

async function isThere(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function outcomeOf({ status }: ToolResult): "success" | "error" {
  return status === "ok" ? "success" : "error";
}
