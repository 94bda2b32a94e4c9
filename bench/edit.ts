/** How fast an edit by anchor is worked out, from the bytes of a file to its new bytes. */
import { fingerprint } from "@/workspace/hashline.ts";
import { planEdit } from "@/workspace/edit.ts";
import { splice } from "@/workspace/splice.ts";
import { parseText } from "@/workspace/text_file.ts";
import { elapsedMs, interleave, type Row } from "./measure.ts";

const LINES = 20_000;

/** One line of a file of 20,000 lines is exchanged, in UTF-8 and in EUC-KR. */
export async function edit(runs: number): Promise<Row[]> {
  const utf8 = new TextEncoder().encode(sampleLines((n) => `const value${n} = compute(${n * 7});`));
  const korean = koreanFile();
  const samples = await interleave({
    utf8: () => elapsedMs(() => Promise.resolve(editMiddle(utf8))),
    korean: () => elapsedMs(() => Promise.resolve(editMiddle(korean))),
  }, runs);
  return [
    { name: `UTF-8, ${LINES} lines`, unit: "ms", values: samples.utf8 ?? [] },
    { name: `EUC-KR, ${LINES} lines`, unit: "ms", values: samples.korean ?? [] },
  ];
}

function editMiddle(bytes: Uint8Array): Uint8Array {
  const file = parseText(bytes);
  const line = LINES / 2;
  const anchor = `${line}:${fingerprint(file.texts[line - 1] ?? "")}`;
  const plan = planEdit(file.texts, { path: "sample.ts", old: anchor, new: "const value = 1;" });
  if (plan.kind !== "planned") throw new Error("The edit was refused");
  const spliced = splice(file, plan.replacements);
  if (!spliced.ok) throw new Error("The edit cannot be written");
  return spliced.bytes;
}

function sampleLines(line: (n: number) => string): string {
  return Array.from({ length: LINES }, (_, index) => `${line(index)}\n`).join("");
}

/** Lines of the word for "Korean" in EUC-KR (C7D1 B1B9 BEEE), and a number. */
function koreanFile(): Uint8Array {
  const word = [0xc7, 0xd1, 0xb1, 0xb9, 0xbe, 0xee];
  const bytes: number[] = [];
  for (let n = 0; n < LINES; n++) bytes.push(...word, 0x20, ...new TextEncoder().encode(`${n}\n`));
  return new Uint8Array(bytes);
}
