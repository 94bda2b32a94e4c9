/**
 * A session as one HTML page that needs nothing else and loads nothing. Whatever texts hold stays text: everything that was
 * not written here is escaped, what cannot be seen is drawn as an escape, and the page forbids itself scripts and requests.
 */
import type { SessionRecord } from "@/protocol/session.ts";
import { toSummary } from "@/session/fold.ts";
import { escaped } from "@/session/escaped_html.ts";
import { preHtml, proseHtml } from "@/session/prose_html.ts";
import { SPEAKERS, toTranscript, type TranscriptEntry } from "@/session/transcript.ts";

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const STYLE = `:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem }
h2 { font-size: 1.1rem; border-top: 1px solid #8886; padding-top: 1rem; margin-top: 2rem }
h3 { font-size: 1rem; margin-bottom: .25rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; font-size: .9rem }
dd { margin: 0; overflow-wrap: anywhere }
h4 { font-size: 1rem; margin: .75rem 0 .25rem }
p, blockquote, ul, ol, table { margin: .5rem 0; overflow-wrap: anywhere; unicode-bidi: plaintext }
blockquote { border-left: 3px solid #8886; padding-left: .75rem }
ul, ol { padding-left: 1.5rem }
p { white-space: pre-wrap }
li > p { margin: 0 }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { overflow-wrap: break-word; border: 1px solid #8886; padding: .2rem .5rem; text-align: start; vertical-align: top }
code { font: 14px/1.4 ui-monospace, monospace; background: #8882; padding: 0 .2rem; border-radius: 3px }
hr { border: 0; border-top: 1px solid #8886 }
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
${said(entry)}
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
        : `<p>Result (${escaped(outcome)}):</p>\n${preHtml(result.text)}`;
      return `<details>
<summary><b>${escaped(name, { oneLine: true })}</b>${said}${mark}</summary>
${preHtml(given)}
${told}
</details>`;
    }
    default:
      return entry satisfies never;
  }
}

/** What somebody said as it was typed; a model writes Markdown. */
function said({ by, text }: Extract<TranscriptEntry, { kind: "said" }>): string {
  return by === "model"
    ? proseHtml(text)
    : `<div class="text">${escaped(text.replace(/^\n+|\n+$/g, ""))}</div>`;
}
