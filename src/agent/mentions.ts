/**
 * Puts what a message mentions behind it: files as anchored rows, listings of directories, images. Each is decided about
 * like a call that reads it, by the same guards and questions; what is refused or not there leaves the message as it was.
 */
import { counted } from "@/lib/counted.ts";
import { describe } from "@/lib/describe.ts";
import { isAbsolute } from "@/lib/path.ts";
import type { Part } from "@/protocol/message.ts";
import type { DispatchParts } from "./dispatch.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { listDirectory } from "@/workspace/dir_listing.ts";
import { type FileWork, kindAt } from "@/workspace/file_work.ts";
import { readImage } from "@/workspace/image_file.ts";
import { type Target, whyNot } from "@/workspace/loaded.ts";
import { attachedHeader, findMentions, type Mention, mentionName } from "@/workspace/mentions.ts";
import { guardedCall, movedSince } from "./guarded_call.ts";
import { type PermitParts, whyCallNotPermitted } from "./permit.ts";

type Deciding = PermitParts & Pick<DispatchParts, "tools" | "resolvePath">;

export type MentionParts = {
  /** What decides; asked when something is mentioned. */
  deciding(): Promise<Deciding>;
  files: Pick<FileWork, "view">;
  /** What one mention may add, in characters. */
  charsMax(): number;
  takesPasted: boolean;
  /** What the person should know. */
  notice(text: string): void;
};

/** More are one question too many for a model, and for the servers' limits. */
const IMAGES_MAX = 4;
const HEADER_CHARS_MAX = 400;
const MISSING_TOLD_MAX = 3;

type Kind = NonNullable<ToolSpec["attaching"]>["what"];

export class MentionReader {
  readonly #parts: MentionParts;

  constructor(parts: MentionParts) {
    this.#parts = parts;
  }

  /** The message with what it mentions. Rejects with the signal's reason when it is aborted. */
  async said(content: readonly Part[], signal: AbortSignal): Promise<readonly Part[]> {
    const text = content.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n");
    if (!/@|\.(?:png|jpe?g|gif|webp)/i.test(text)) return content;
    const deciding = await this.#parts.deciding();
    const { found, missing } = await findMentions(text, {
      exists: (path) => isThere(path, deciding),
      takesPasted: this.#parts.takesPasted,
    });
    for (const path of worthTelling(missing)) {
      this.#parts.notice(`"@${path}" was not attached: nothing with that name is there`);
    }
    const attached: Part[] = [];
    for (const mention of found) {
      signal.throwIfAborted();
      attached.push(...await this.#attach(mention, { deciding, attached, signal }));
    }
    return [...content, ...attached];
  }

  async #attach(
    mention: Mention,
    { deciding, attached, signal }: {
      deciding: Deciding;
      attached: readonly Part[];
      signal: AbortSignal;
    },
  ): Promise<readonly Part[]> {
    const name = mentionName(mention);
    const refuse = (why: string): readonly Part[] => {
      this.#parts.notice(`"@${name}" was not attached: ${why}`);
      return [];
    };
    try {
      const { real } = await deciding.resolvePath(mention.path, "reads", "follow");
      const kind = await kindOf(real);
      const decided = await permitted(mention.path, kind, { deciding, signal });
      if ("why" in decided) return refuse(decided.why);
      const target = { path: decided.real, spelled: mention.path };
      if (kind === "dir") return [await listing(target)];
      if (kind === "file") return [await this.#file(target, mention, signal)];
      const images = attached.filter(({ type }) => type === "image").length;
      if (images >= IMAGES_MAX) return refuse(`a message takes ${IMAGES_MAX} images`);
      const image = await readImage(target, signal);
      if (image.kind === "refused") return refuse(image.sentence);
      const header = attachedHeader("image", `${name}, ${image.size}`);
      return [{ type: "text", text: header }, image.part];
    } catch (error) {
      if (signal.aborted) throw error;
      return refuse(error instanceof Refused ? error.message : describe(error));
    }
  }

  async #file(
    target: Target,
    mention: Mention,
    signal: AbortSignal,
  ): Promise<Part> {
    const room = Math.max(1_000, this.#parts.charsMax() - HEADER_CHARS_MAX);
    const bounds = { wholeCharsMax: room, sliceBytesMax: room };
    const viewed = await this.#parts.files.view(target, mention.lines ?? {}, { signal, bounds });
    if (viewed.kind === "beyond") throw new Refused(`it has ${counted(viewed.lines, "line")}`);
    if (viewed.kind !== "rows") throw new Refused(await whyNot("read", target, viewed));
    const cut = viewed.clipped ? "\n[cut here; read_file shows the rest]" : "";
    const header = attachedHeader("file", mentionName(mention));
    return { type: "text", text: `${header}\n${viewed.text}${cut}` };
  }
}

/** Pasted code is full of words with an @ that nobody meant as a path; of many, only what looks like one is told. */
function worthTelling(missing: readonly string[]): readonly string[] {
  if (missing.length <= MISSING_TOLD_MAX) return missing;
  return missing.filter((path) => /[/.]/.test(path)).slice(0, MISSING_TOLD_MAX);
}

/** Why something is not attached, in words for the person. */
class Refused extends Error {}

async function isThere(path: string, { resolvePath }: Deciding): Promise<boolean> {
  // What must not be touched is told so, and not as if it were not there.
  const { real } = await resolvePath(path, "reads", "follow");
  return isAbsolute(real) && await kindAt(real) !== "absent";
}

const IMAGE_NAME = /\.(?:png|jpe?g|gif|webp)$/i;

async function kindOf(real: string): Promise<Kind> {
  if (await kindAt(real) === "dir") return "dir";
  return IMAGE_NAME.test(real) ? "image" : "file";
}

async function listing({ path, spelled }: Target): Promise<Part> {
  const { text } = await listDirectory(path, spelled);
  return { type: "text", text: `${attachedHeader("directory listing", spelled)}\n${text}` };
}

/** Where a mentioned path leads, if it may be read; else why it may not. */
async function permitted(
  path: string,
  kind: Kind,
  { deciding, signal }: { deciding: Deciding; signal: AbortSignal },
): Promise<{ real: string } | { why: string }> {
  const tool = deciding.tools().find(({ attaching }) => attaching?.what === kind);
  if (tool?.attaching === undefined) return { why: "this conversation has no tool that reads it" };
  const facts = { id: "mention", tool, input: tool.attaching.input(path) };
  const prepared = await guardedCall(facts, deciding.resolvePath);
  if (prepared.kind === "refused") return { why: prepared.reason };
  const why = await whyCallNotPermitted(prepared.call, deciding, signal) ??
    await movedSince(prepared, deciding.resolvePath);
  const real = prepared.paths.get(path)?.real;
  return why !== undefined || real === undefined ? { why: why ?? "it leads nowhere" } : { real };
}
