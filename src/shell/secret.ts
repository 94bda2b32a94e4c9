/** Questions of programs for a password or the like, and keeping what the person typed out of what is printed. */
import { clipEnd } from "@/lib/clip.ts";
import { plainText } from "@/lib/plain_text.ts";
import { visible } from "@/lib/visible.ts";

/** Shorter texts stand in output by chance. */
const REDACTED_CHARS_MIN = 4;

/** What stands where a secret would be shown. */
export const REDACTED = "[secret]";

const PROMPT_CHARS_MAX = 200;
const COMMAND_CHARS_SHOWN = 80;

/** Words that ask for something that others must not see, and nothing after them but the end of the question. */
const ASKS = new RegExp(
  [
    String.raw`\b(?:password|passwd|passphrase|passcode|otp|pin|api[ _-]?(?:key|token)`,
    String
      .raw`|(?:access|auth\w*|personal|bearer) token|(?:verification|one-time|2fa|login) code)\b`,
    "|비밀번호|암호|パスワード|暗証番号|密码|密碼|口令",
  ].join(""),
  "iu",
);

/** The question for a secret with which a text ends; undefined when it ends otherwise. */
export function secretPrompt(text: string): string | undefined {
  const line = plainText(text).trimEnd().split("\n").at(-1)?.trim() ?? "";
  if (line.length > PROMPT_CHARS_MAX || !/[:：?？>]$/u.test(line) || !ASKS.test(line)) {
    return undefined;
  }
  return visible(line, { oneLine: true });
}

/** Says whose question it is, and where the answer goes: a program can print anything. */
export function secretQuestion(command: string, prompt: string): string {
  const shown = clipEnd(
    visible(command.replace(/\s+/g, " ").trim(), { oneLine: true }),
    COMMAND_CHARS_SHOWN,
  );
  return `The command "${shown}" of the model asks: ${prompt}\n` +
    "What you type goes to that program and not to the model; nothing and Enter leaves the answer to the model: ";
}

/** Takes secrets out of a stream of text, however it is cut. */
export class Redactor {
  readonly #secrets: string[] = [];
  /** The beginning of a secret, perhaps. */
  #held = "";

  hide(secret: string): void {
    if (secret.length >= REDACTED_CHARS_MIN) this.#secrets.push(secret);
  }

  /** What of the text can be shown already. */
  take(text: string): string {
    if (this.#secrets.length === 0) return text;
    const all = this.#without(this.#held + text);
    const length = Math.max(...this.#secrets.map((secret) => overlap(all, secret)));
    this.#held = all.slice(all.length - length);
    return all.slice(0, all.length - length);
  }

  /** The rest, when nothing more comes. */
  end(): string {
    const rest = this.#held;
    this.#held = "";
    return rest;
  }

  #without(text: string): string {
    return this.#secrets.reduce((shown, secret) => shown.replaceAll(secret, REDACTED), text);
  }
}

/** How many characters at the end of a text are the beginning of a secret. */
function overlap(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return length;
  }
  return 0;
}
