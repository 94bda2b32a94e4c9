/** What slash commands are lent of the transcript: what was said last, the clipboard, the viewer. */
import type { Harness } from "@/agent/harness.ts";
import type { AppParts, ScreenParts } from "@/compose/parts.ts";
import { counted } from "@/lib/counted.ts";
import { join } from "@/lib/path.ts";
import { hasHidden } from "@/lib/visible.ts";
import type { Message } from "@/protocol/message.ts";
import type { TranscriptPart } from "@/terminal/commands/lent/transcript.ts";
import { type CommandResult, done } from "@/terminal/commands/spec.ts";

/** Where a text goes that no clipboard takes, in the state directory. */
const COPIED = "copied.txt";

/** Build it. */
export function transcriptPart(
  { place }: Pick<AppParts, "place">,
  { harness, screen }: { harness: Pick<Harness, "messages">; screen: ScreenParts },
): TranscriptPart {
  const { openTranscript } = screen;
  return {
    lastReply: () => lastReply(harness.messages()),
    copy: (text) => copied(text, { screen, file: join(place.paths.home, COPIED) }),
    show: (events) => {
      for (const event of events) {
        for (const sink of screen.sinks) sink(event);
      }
    },
    ...(openTranscript === undefined ? {} : { open: openTranscript }),
  };
}

function lastReply(messages: readonly Message[]): string | undefined {
  for (const message of messages.toReversed()) {
    if (message.role !== "assistant") continue;
    const text = message.content.flatMap((block) => block.type === "text" ? [block.text] : [])
      .join("");
    if (text.trim() !== "") return text.trim();
  }
  return undefined;
}

async function copied(
  text: string,
  { screen, file }: { screen: ScreenParts; file: string },
): Promise<CommandResult> {
  const what = counted(text.split("\n").length, "line");
  const hidden = hasHidden(text) ? "; it holds characters that are not seen, /raw shows them" : "";
  if (screen.copy?.(text) === true) {
    return done(`Copied ${what} to the clipboard, if the terminal allows it${hidden}`);
  }
  const { replaceFile } = await import("@/lib/atomic_write.ts");
  await replaceFile(file, text.endsWith("\n") ? text : `${text}\n`, { private: true });
  const why = screen.copy === undefined
    ? "the plain screen reaches no clipboard"
    : "it is too long for a terminal's clipboard";
  return done(`Written to "${file}" (${what}): ${why}${hidden}`);
}
