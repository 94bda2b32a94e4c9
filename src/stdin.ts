/** The prompt of a run without a terminal: from the flag, from standard input, or the second attached to the first. */
import { PersonError } from "./protocol/error.ts";
import type { RunOptions } from "./options.ts";

const FIRST_BYTE_MS = 1_000;
const ATTACHED_BYTES_MAX = 8 * 1024 * 1024;

export type PromptSource = {
  print: RunOptions["print"];
  stdin: { readable: ReadableStream<Uint8Array>; isTerminal(): boolean };
  warn(text: string): void;
};

/** Read the prompt. Throws PersonError of kind "usage" when there is none. */
export async function readPrompt({ print, stdin, warn }: PromptSource): Promise<string> {
  const isWhole = print === undefined || print === "" || print === "-";
  if (isWhole) {
    if (stdin.isTerminal()) throw noPrompt();
    const { text } = await readInput(stdin.readable, undefined);
    if (text.trim() === "") throw noPrompt();
    return text;
  }
  if (stdin.isTerminal()) return print;
  const { text, isSilent } = await readInput(stdin.readable, FIRST_BYTE_MS);
  if (isSilent) warn("nothing arrived on standard input within 1 s; going on without it");
  return text.trim() === "" ? print : `${print}\n\n${text}`;
}

function noPrompt(): PersonError {
  return new PersonError(
    "usage",
    "There is no prompt: -p was given without one, and standard input is empty or a terminal",
    'Give it as harness -p "…", or pipe it in',
  );
}

/** Everything on a stream; gives up when the first byte takes longer than `firstByteMs`. */
async function readInput(
  stream: ReadableStream<Uint8Array>,
  firstByteMs: number | undefined,
): Promise<{ text: string; isSilent: boolean }> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<"silent">((resolve) => {
    if (firstByteMs !== undefined) timer = setTimeout(() => resolve("silent"), firstByteMs);
  });
  for (;;) {
    const next = reader.read();
    const read = size === 0 && firstByteMs !== undefined
      ? await Promise.race([next, silence])
      : await next;
    if (read === "silent") {
      next.catch(() => undefined); // The read goes on until the process ends; nobody waits for it.
      return { text: "", isSilent: true };
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
  return { text: decode(chunks), isSilent: false };
}

function decode(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("");
  return text + decoder.decode();
}

/** A secret that is piped in: the first line; undefined when nothing comes. */
export async function readSecret(stream: ReadableStream<Uint8Array>): Promise<string | undefined> {
  const { text, isSilent } = await readInput(stream, FIRST_BYTE_MS);
  const line = text.split("\n")[0]?.trim() ?? "";
  return isSilent || line === "" ? undefined : line;
}
