/**
 * A session as one HTML page that needs nothing else and loads nothing. Whatever texts hold stays text: everything that was
 * not written here is escaped, what cannot be seen is drawn as an escape, and the page forbids itself scripts and requests.
 */
import type { SessionRecord } from "@/protocol/session.ts";
import { visible } from "@/lib/visible.ts";
import { toSummary } from "@/session/fold.ts";
import { SPEAKERS, toTranscript, type TranscriptEntry } from "@/session/transcript.ts";

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const STYLE = `:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem }
h2 { font-size: 1.1rem; border-top: 1px solid #8886; padding-top: 1rem; margin-top: 2rem }
h3 { font-size: 1rem; margin-bottom: .25rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; font-size: .9rem }
dd { margin: 0; overflow-wrap: anywhere }
.text { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; margin: .5rem 0 }
pre { white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; background: #8881; padding: .75rem; border-radius: 4px;
  font: 14px/1.4 ui-monospace, monospace; margin: .5rem 0 }
details { margin: .5rem 0; border-left: 3px solid #8886; padding-left: .75rem }
summary { cursor: pointer; overflow-wrap: anywhere }
summary em { margin-left: .5rem; padding: 0 .35rem; border: 1px solid; border-radius: 4px; font-size: .85rem }
.person { border-left: 3px solid #36c; padding-left: .75rem }
.note { font-style: italic; opacity: .8 }`;

/** The session as a page: whole texts, images described, calls folded. `id` is the file's stem. Ends with a newline. */
export function toHtml(records: readonly SessionRecord[], id: string): string {
  const { uid, title, cwd, model, createdAt, updatedAt, turns } = toSummary(records);
  const name = escaped(title === "" ? id : title, { oneLine: true });
  const facts = [
    ["Session", uid === undefined ? id : `${id} (${uid})`],
    ["Directory", cwd],
    ["Model", model],
    ["From", createdAt],
    ["To", updatedAt],
    ["Turns", String(turns)],
  ].flatMap(([what = "", value]) =>
    value === undefined ? [] : [`<dt>${what}</dt><dd>${escaped(value, { oneLine: true })}</dd>`]
  );
  const body: string[] = [];
  let turn = 0;
  for (const entry of toTranscript(records)) {
    if (entry.turn !== turn) {
      body.push(`<h2 id="turn-${entry.turn}">Turn ${turn = entry.turn}</h2>`);
    }
    body.push(inHtml(entry));
  }
  return `<!DOCTYPE html>
<html lang="">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<style>
${STYLE}
</style>
</head>
<body>
<h1>${name}</h1>
<dl>
${facts.join("\n")}
</dl>
${body.join("\n")}
</body>
</html>
`;
}

function inHtml(entry: TranscriptEntry): string {
  switch (entry.kind) {
    case "said":
      return `<section class="${entry.by}">
<h3>${SPEAKERS[entry.by]}</h3>
${paragraphs(entry.text)}
</section>`;
    case "note":
      return `<p class="note">${escaped(entry.text)}</p>`;
    case "call": {
      const { name, input, summary, result } = entry;
      const given = typeof input === "string" ? input : JSON.stringify(input, null, 2) ?? "";
      const said = summary === undefined ? "" : `: ${escaped(summary, { oneLine: true })}`;
      const outcome = result?.status.replace("_", " ") ?? "no result";
      const mark = outcome === "ok" ? "" : ` <em>${escaped(outcome)}</em>`;
      const told = result === undefined
        ? `<p class="note">No result</p>`
        : `<p>Result (${escaped(outcome)}):</p>\n${block(result.text)}`;
      return `<details>
<summary><b>${escaped(name, { oneLine: true })}</b>${said}${mark}</summary>
${block(given)}
${told}
</details>`;
    }
    default:
      return entry satisfies never;
  }
}

/** A text with its blocks of code apart; one that was never closed ends with the text. */
function paragraphs(text: string): string {
  const pieces: string[] = [];
  let lines: string[] = [];
  let fence = "";
  const end = (isCode: boolean) => {
    const piece = lines.join("\n");
    if (piece.trim() !== "") pieces.push(isCode ? block(piece) : prose(piece));
    lines = [];
  };
  for (const line of text.split("\n")) {
    const [, mark = "", info = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    const opens = fence === "" && mark !== "" && !(mark.startsWith("`") && info.includes("`"));
    const closes = fence !== "" && mark.startsWith(fence) && info.trim() === "";
    if (!opens && !closes) {
      lines.push(line);
      continue;
    }
    end(closes);
    fence = opens ? mark : "";
  }
  end(fence !== "");
  return pieces.join("\n");
}

function prose(text: string): string {
  return `<div class="text">${escaped(text.replace(/^\n+|\n+$/g, ""))}</div>`;
}

/** A parser drops the first line feed of a block. */
function block(text: string): string {
  return `<pre>\n${escaped(text)}</pre>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string, options: { oneLine?: boolean } = {}): string {
  return visible(text, options).replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}
