/** A long conversation as a session keeps it (150 turns, 8.9 MB) and a long reply (9.3 KB): the case of every measurement. */
import type { DurableEvent } from "@/protocol/event.ts";
import type { SessionRecord } from "@/protocol/session.ts";

const CALLS_A_TURN = 5;
const RESULT_CHARS = 10_800;
const REPLY_CHARS = 9_300;
const FIRST_AT = Date.UTC(2026, 0, 5, 9);
const TURN_MS = 90_000;

const WORDS =
  "the score of a passage is divided by its length before the boost of its title is added "
    .repeat(20);
const ROW =
  "  41:9c0|    const score = bm25(query, passage) / norm(passage.length) + titleBoost;\n";

/** Markdown with all that a reply is made of, `chars` long. */
export function reply(chars = REPLY_CHARS): string {
  let text = "";
  for (let at = 1; text.length < chars; at++) {
    text += `## Part ${at}: 웹 검색 랭킹

The **ranking** of \`src/rank.ts\` does not hold: ${WORDS.slice(at, at + 420)}.

- first, the length is *normalised* ([why](https://example.com/${at}))
- then the title is boosted, 추측: 동점 처리
  - once for each word
- last, what is equal is ordered by age

\`\`\`ts
/** The score of a passage. */
export function score(query: string, passage: Passage): number {
  const titleBoost = boost(query, passage.title); // at most ${at}
  return bm25(query, passage) / norm(passage.length) + titleBoost;
}
\`\`\`

| case | before | after |
|---|---:|---:|
| 제목 일치 | 0.${at}4 | 0.${at}1 |
| body only | 0.40 | 0.40 |

`;
  }
  return text.slice(0, chars);
}

/** The records of a session with so many turns: each with five calls, two replies, now and then a notice. */
export function session(turns: number): SessionRecord[] {
  const records: SessionRecord[] = [];
  for (let turn = 1; turn <= turns; turn++) {
    const at = new Date(FIRST_AT + turn * TURN_MS).toISOString();
    for (const event of turnEvents(turn)) records.push({ v: 1, at, event });
  }
  return records;
}

function* turnEvents(turn: number): Generator<DurableEvent> {
  yield { type: "turn_start", turn };
  yield {
    type: "message",
    message: {
      role: "user",
      origin: "person",
      content: [{ type: "text", text: `Question ${turn}: why does the ranking test fail?` }],
    },
  };
  yield said(`I look at the files first. ${WORDS.slice(0, 300)}`);
  for (let call = 1; call <= CALLS_A_TURN; call++) yield* callEvents(`${turn}-${call}`);
  yield said(reply(1_200));
  if (turn % 10 === 0) {
    yield { type: "notice", level: "info", text: `harness-2 is editing src/part-${turn}.ts` };
  }
  yield { type: "turn_end", turn, stop: "end" };
}

function* callEvents(id: string): Generator<DurableEvent> {
  const input = { filepath: `src/part-${id}.ts` };
  yield {
    type: "message",
    message: {
      role: "assistant",
      stop: "tool_calls",
      content: [{ type: "tool_call", id, name: "read_file", input }],
    },
  };
  yield {
    type: "decision",
    callId: id,
    asked: false,
    decision: { verdict: "allow", by: "guard", reason: "it only reads, inside the workspace" },
  };
  const text = ROW.repeat(Math.ceil(RESULT_CHARS / ROW.length)).slice(0, RESULT_CHARS);
  yield {
    type: "message",
    message: { role: "tool", callId: id, name: "read_file", result: { status: "ok", text } },
  };
  yield { type: "tool_end", callId: id, summary: `read ${input.filepath} (130 lines)`, ms: 4 };
}

function said(text: string): DurableEvent {
  const content = [{ type: "text", text }] as const;
  return { type: "message", message: { role: "assistant", content, stop: "end" } };
}
