/** The headers of harmony, the format of gpt-oss: who speaks, on which channel, to whom. */
import type { Reader } from "./reader.ts";

/** A header, complete. `end` is where its message begins. */
export type Header = { end: number; role: string; channel: string; recipient: string | undefined };

const HEADER =
  /(?:<\|start\|>([^<\n]{0,120}))?(?:<\|channel\|>([^<\n]{0,160}))?(?:<\|constrain\|>([^<\n]{0,80}))?<\|message\|>/y;
/** The same with its first token swallowed by the server; only at the start of a reply. */
const HEADLESS =
  /\s*(?:assistant\s*(?:<\|channel\|>)?)?((?:analysis|commentary|final)\b[^<\n]{0,100})(?:<\|constrain\|>([^<\n]{0,80}))?<\|message\|>/y;
/** A header that the text ends in. */
const OPEN_HEADER =
  /(?:<\|start\|>\s*(?:assistant|user|system|developer|tool|functions\.)?[^<\n]{0,120})?(?:<\|channel\|>\s*(?:analysis|commentary|final)?[^<\n]{0,160})?(?:<\|constrain\|>[^<\n]{0,80})?(?:<[|\w]{0,12})?$/y;
const KNOWN_START =
  /<\|(?:start\|>\s*(?:assistant|user|system|developer|tool|functions\.)|channel\|>\s*(?:analysis|commentary|final))/y;
const STRIPPED = /^(\s*analysis(?=[^\s<]))([\s\S]*?)assistant(?:final|(?=commentary\s+to=))/;
const RECIPIENT = /\bto=\s*([\w.:-]+)/;

/** Tokens at which a message ends. The last two belong to the next header. */
export const MESSAGE_END: readonly string[] = [
  "|end|",
  "|return|",
  "|call|",
  "|start|",
  "|channel|",
];

/** The header at `at`; "more" when it is not complete yet, "cut" when the reply ends in it, undefined for a mention. */
export function headerAt(reader: Reader, at: number): Header | "more" | "cut" | undefined {
  HEADER.lastIndex = at;
  const whole = HEADER.exec(reader.text);
  if (whole !== null) {
    const [, role = "", channel = "", constrain = ""] = whole;
    return header(HEADER.lastIndex, { role, channel, constrain });
  }
  OPEN_HEADER.lastIndex = at;
  if (!OPEN_HEADER.test(reader.text)) return undefined;
  if (!reader.isFinal) return "more";
  KNOWN_START.lastIndex = at;
  return KNOWN_START.test(reader.text) ? "cut" : undefined;
}

/** A header at the very start of a reply whose first token is missing. */
export function headlessAt(reader: Reader): Header | undefined {
  HEADLESS.lastIndex = 0;
  const match = HEADLESS.exec(reader.text);
  if (match === null) return undefined;
  const [, channel = "", constrain = ""] = match;
  return header(HEADLESS.lastIndex, { role: "assistant", channel, constrain });
}

/** Reasoning at the start of a reply from which the server took the tokens: `analysis…assistantfinal…`. */
export function strippedAt(text: string): { from: number; to: number; end: number } | undefined {
  const match = STRIPPED.exec(text);
  if (match === null) return undefined;
  const [whole, start = "", inside = ""] = match;
  return { from: start.length, to: start.length + inside.length, end: whole.length };
}

function header(
  end: number,
  { role, channel, constrain }: { role: string; channel: string; constrain: string },
): Header {
  const recipient = RECIPIENT.exec(channel) ?? RECIPIENT.exec(role) ?? RECIPIENT.exec(constrain);
  return {
    end,
    role: role.trim().split(/\s/)[0] ?? "",
    channel: channel.trim().split(/\s/)[0] ?? "",
    recipient: recipient?.[1],
  };
}
