/** A session for reading elsewhere: as Markdown, as one JSON document, or as a page (export_html.ts). */
import type { SessionRecord } from "@/protocol/session.ts";
import { clipMiddle } from "@/lib/clip.ts";
import { toSummary } from "@/session/fold.ts";
import { toHtml } from "@/session/export_html.ts";
import { SPEAKERS, toTranscript, type TranscriptEntry } from "@/session/transcript.ts";

/** What a session can be exported as. */
export type ExportFormat = "markdown" | "json" | "html";

/** The session in a format. `id` is the file's stem. */
export function exported(
  records: readonly SessionRecord[],
  { id, format }: { id: string; format: ExportFormat },
): string {
  return { markdown: toMarkdown, json: toJson, html: toHtml }[format](records, id);
}

const RESULT_CHARS_MAX = 2_000;
const INPUT_CHARS_MAX = 2_000;

/** The session as Markdown. Whatever texts hold, each fence ends where it should. `id` is the file's stem. */
export function toMarkdown(records: readonly SessionRecord[], id: string): string {
  const { uid, title, cwd, model, createdAt, updatedAt, turns } = toSummary(records);
  const facts = [
    `- Session: ${id}${uid === undefined ? "" : ` (${uid})`}`,
    ...(cwd === undefined ? [] : [`- Directory: ${cwd}`]),
    ...(model === undefined ? [] : [`- Model: ${model}`]),
    `- From ${createdAt} to ${updatedAt}, ${turns} ${turns === 1 ? "turn" : "turns"}`,
  ];
  const blocks = [`# ${title === "" ? id : title}`, facts.join("\n")];
  let turn = 0;
  for (const entry of toTranscript(records)) {
    if (entry.turn !== turn) blocks.push(`## Turn ${turn = entry.turn}`);
    blocks.push(...inMarkdown(entry));
  }
  return `${blocks.join("\n\n")}\n`;
}

function inMarkdown(entry: TranscriptEntry): string[] {
  switch (entry.kind) {
    case "said":
      return [`### ${SPEAKERS[entry.by]}`, closeFences(entry.text.trimEnd())];
    case "note":
      return [`*${entry.text}*`];
    case "call": {
      const { name, input, summary, result } = entry;
      const said = `**${name}**${summary === undefined ? "" : `: ${summary.replace(/\s+/g, " ")}`}`;
      const given = typeof input === "string" ? input : JSON.stringify(input, null, 2) ?? "";
      const asked = fenced(clipped(given, INPUT_CHARS_MAX), "json");
      if (result === undefined) return [said, asked, "*No result*"];
      const told = fenced(clipped(result.text, RESULT_CHARS_MAX), "text");
      return [said, asked, `Result (${result.status.replace("_", " ")}):`, told];
    }
    default:
      return entry satisfies never;
  }
}

function clipped(text: string, charsMax: number): string {
  return clipMiddle(
    text,
    charsMax,
    ({ chars, lines }) => `… ${chars} characters in ${lines} lines left out …`,
  );
}

/** A code block whose fence is longer than any run of backticks in it. */
function fenced(text: string, language: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(3, 1 + Math.max(0, ...runs.map((run) => run.length))));
  return `${fence}${language}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}

/** A text whose last code block was cut (a reply that stopped early) would swallow all that follows it. */
function closeFences(text: string): string {
  let open = "";
  for (const line of text.split("\n")) {
    const [, mark = "", info = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (mark === "") continue;
    if (open === "") open = mark.startsWith("`") && info.includes("`") ? "" : mark;
    else if (mark.startsWith(open) && info.trim() === "") open = "";
  }
  return open === "" ? text : `${text}\n${open}`;
}

/** The session as one JSON document: version 1, whole texts, images described. Ends with a newline. */
export function toJson(records: readonly SessionRecord[], id: string): string {
  const { uid = null, title, cwd = null, model = null, createdAt, updatedAt, turns } = toSummary(
    records,
  );
  const entries = toTranscript(records);
  const document = {
    version: 1,
    session: uid,
    id,
    title,
    cwd,
    model,
    createdAt,
    updatedAt,
    turns,
    entries,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
