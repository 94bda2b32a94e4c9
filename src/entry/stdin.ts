/** The prompt of a run without a terminal: from the flag, from standard input, or the second attached to the first. */
import { joinBytes, utf8Text } from "@/lib/bytes.ts";
import { PersonError } from "@/protocol/error.ts";
import { fileErrorReason } from "@/lib/file_error.ts";
import type { RunOptions } from "@/compose/options.ts";

const FIRST_BYTE_MS = 1_000;
const ATTACHED_BYTES_MAX = 8 * 1024 * 1024;

export type PromptSource = {
  print: RunOptions["print"];
  stdin: { readable: ReadableStream<Uint8Array>; isTerminal(): boolean };
  warn(text: string): void;
};

/** Read the prompt. Throws PersonError of kind "usage" when there is none. */
export async function readPrompt({ print, stdin, warn }: PromptSource): Promise<string> {
  const isWhole = print === undefined || print.trim() === "" || print === "-";
  if (isWhole) {
    if (stdin.isTerminal()) throw noPrompt(print, "is a terminal");
    const { bytes } = await readInput(stdin.readable, undefined);
    const text = await textOf(bytes, warn);
    if (text.trim() === "") throw noPrompt(print, text === "" ? "is empty" : "holds only blanks");
    return text;
  }
  if (stdin.isTerminal()) return print;
  const { bytes, isSilent } = await readInput(stdin.readable, FIRST_BYTE_MS);
  if (isSilent) warn("nothing arrived on standard input within 1 s; going on without it");
  const text = await textOf(bytes, warn);
  return text.trim() === "" ? print : `${print}\n\n${text}`;
}

/** The text of what was piped in, whatever its encoding. Throws PersonError where it is no text. */
async function textOf(bytes: Uint8Array, warn: PromptSource["warn"]): Promise<string> {
  const text = utf8Text(bytes);
  if (text !== undefined) return text;
  const { binaryKind } = await import("@/lib/file_kind.ts");
  const kind = binaryKind(bytes);
  if (kind !== undefined) {
    throw new PersonError(
      "usage",
      `Standard input is no text: it is a binary file (${kind})`,
      "Name the file in the prompt instead",
    );
  }
  const { decode, spokenName } = await import("@/lib/encoding.ts");
  const { guessEncoding } = await import("@/lib/guess_encoding.ts");
  const { encoding, markBytes, sure } = guessEncoding(bytes);
  if (!sure) warn(`the encoding of standard input is not certain; read as ${spokenName(encoding)}`);
  return decode(bytes.subarray(markBytes), encoding);
}

function noPrompt(print: RunOptions["print"], input: string): PersonError {
  const flag = print === undefined || print === "-" ? "" : "-p was given without one, and ";
  return new PersonError(
    "usage",
    `There is no prompt: ${flag}standard input ${input}`,
    'Give it as harness -p "…", or pipe it in',
  );
}

/** Everything on a stream; gives up when the first byte takes longer than `firstByteMs`. */
async function readInput(
  stream: ReadableStream<Uint8Array>,
  firstByteMs: number | undefined,
): Promise<{ bytes: Uint8Array; isSilent: boolean }> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<"silent">((resolve) => {
    if (firstByteMs !== undefined) timer = setTimeout(() => resolve("silent"), firstByteMs);
  });
  for (;;) {
    const next = reader.read().catch(unreadable);
    const read = size === 0 && firstByteMs !== undefined
      ? await Promise.race([next, silence])
      : await next;
    if (read === "silent") {
      next.catch(() => undefined); // The read goes on until the process ends; nobody waits for it.
      return { bytes: new Uint8Array(), isSilent: true };
    }
    clearTimeout(timer);
    if (read.done) break;
    size += read.value.length;
    if (size > ATTACHED_BYTES_MAX) {
      throw new PersonError(
        "usage",
        `Standard input is larger than ${ATTACHED_BYTES_MAX / 1024 / 1024} MB`,
        "Save it to a file and name the file in the prompt",
      );
    }
    chunks.push(read.value);
  }
  clearTimeout(timer);
  return { bytes: joinBytes(chunks), isSilent: false };
}

function unreadable(error: unknown): never {
  throw new PersonError(
    "usage",
    `Standard input cannot be read: ${fileErrorReason(error)}`,
    "Give a file or a pipe, or </dev/null for none",
    error,
  );
}

/** A secret that is piped in: the first line; undefined when nothing comes. */
export async function readSecret(stream: ReadableStream<Uint8Array>): Promise<string | undefined> {
  const { bytes, isSilent } = await readInput(stream, FIRST_BYTE_MS);
  const line = new TextDecoder().decode(bytes).split("\n")[0]?.trim() ?? "";
  return isSilent || line === "" ? undefined : line;
}
