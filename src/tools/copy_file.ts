/** Copy one file, byte for byte. */
import { spokenSize } from "@/lib/size.ts";
import { basename, join } from "@/lib/path.ts";
import * as z from "zod";
import type { ToolSpec } from "@/protocol/tool.ts";
import { type FileWork, kindAt, stateOf } from "@/workspace/file_work.ts";
import {
  isWriteProtected,
  LOAD_BYTES_MAX,
  missingParent,
  type Target,
  whyNot,
  writeProtected,
} from "@/workspace/loaded.ts";
import { META_PATH, META_WRITTEN } from "@/workspace/readings.ts";
import { causeOf } from "./cause.ts";
import { defineTool, failed, ok } from "./spec.ts";

export const copyFile = (files: FileWork): ToolSpec =>
  defineTool({
    name: "copy_file",
    description: "Copy a file of any kind. A file that is there is replaced.",
    input: z.object({
      src: z.string().min(1),
      dst: z.string().min(1).describe("Its directory must exist"),
    }),
    effect: () => "changes",
    subject: ({ src, dst }) => ({ kind: "path", paths: [src, dst], reads: [src] }),
    summary: ({ src, dst }, result) => {
      if (result === undefined) return `copy ${src} to ${dst}`;
      return result.status === "ok" ? `copied ${src} to ${dst}` : `did not copy ${src} to ${dst}`;
    },
    async preview({ dst }, host) {
      const kind = await kindAt(host.resolved(dst));
      return kind === "absent" ? undefined : `${dst} exists and is replaced`;
    },
    async run({ src, dst }, host) {
      const from = { path: host.resolved(src), spelled: src };
      const to = { path: host.resolved(dst), spelled: dst };
      if (from.path === to.path) {
        return failed(`Cannot copy "${src}" to "${dst}": both are the same file`);
      }
      const source = await stateOf(from.path);
      if (source === "unchecked" || source.kind !== "file") {
        return failed(await noSource(from, source));
      }
      const there = await stateOf(to.path);
      const problem = await noDestination(to, { there, name: basename(src) });
      if (problem !== undefined) return failed(problem);
      const after = { ...source, mode: source.mode & 0o777 };
      const changed = await files.change(
        [{ path: to.path, expected: there, after }],
        causeOf(host),
      );
      const isNew = there !== "unchecked" && there.kind === "absent";
      const how = changed.length === 0
        ? "it had the same content already"
        : isNew
        ? "a new file"
        : "the file that was there is replaced";
      return ok(`File copied: ${src} to ${dst} (${spokenSize(source.bytes.length)}, ${how})`, {
        changed,
        meta: { [META_PATH]: to.path, [META_WRITTEN]: true },
      });
    },
  });

type State = Awaited<ReturnType<typeof stateOf>>;

async function noSource(from: Target, state: State): Promise<string> {
  if (state === "unchecked") {
    return `Cannot copy "${from.spelled}": it is no plain file, or has more than ` +
      `${spokenSize(LOAD_BYTES_MAX)}; use run_cmd with cp`;
  }
  return state.kind === "dir"
    ? `Cannot copy "${from.spelled}": it is a directory; copy_file copies single files`
    : await whyNot("copy", from, { kind: "absent" });
}

async function noDestination(
  to: Target,
  { there, name }: { there: State; name: string },
): Promise<string | undefined> {
  if (there === "unchecked") return undefined;
  switch (there.kind) {
    case "dir":
      return `Cannot copy to "${to.spelled}": it is a directory; name the file in it ("${
        join(to.spelled, name)
      }")`;
    case "absent":
      return await missingParent("copy to", to);
    case "file":
      return isWriteProtected(there.mode) ? writeProtected("copy to", to, there.mode) : undefined;
    case "link":
      return `Cannot copy to "${to.spelled}": it is a link; name the file that it points to`;
    default:
      return there satisfies never;
  }
}
