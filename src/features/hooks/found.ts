/** The files that declare hooks: the person's, and those of the project once their exact contents are trusted. */
import { readBounded } from "@/lib/bounded_file.ts";
import { join } from "@/lib/path.ts";
import { type DeclaredHooks, type HookProgram, readHooks, unreadable } from "@/hooks/declared.ts";
import { PROJECT_HOOK_FILES } from "@/policy/project_files.ts";
import type { Trust } from "@/policy/trust.ts";

const FILE_BYTES_MAX = 1024 * 1024;

/** What there is: programs that are run, files that wait for trust, and what is wrong. */
export type FoundHooks = {
  programs: readonly HookProgram[];
  waiting: readonly string[];
  problems: readonly string[];
};

/** Look. */
export async function findHooks(
  { workspace, personal, trust }: {
    workspace: string;
    personal: string;
    trust: Pick<Trust, "isTrusted">;
  },
): Promise<FoundHooks> {
  const waiting: string[] = [];
  const declared: DeclaredHooks[] = [];
  const places = [
    { path: personal, label: personal, origin: "person" as const },
    ...PROJECT_HOOK_FILES.map((name) => ({
      path: join(workspace, name),
      label: name,
      origin: "project" as const,
    })),
  ];
  for (const { path, ...file } of places) {
    // The state directory as the workspace: the file is the person's own.
    if (file.origin === "project" && path === personal) continue;
    const found = await readBounded(path, FILE_BYTES_MAX);
    if (found.kind === "absent") continue;
    if (found.kind === "refused") {
      // What cannot be read cannot have been trusted.
      if (file.origin === "person") declared.push(unreadable(file, found.cause));
      continue;
    }
    const read = readHooks({ ...file, text: new TextDecoder().decode(found.bytes) });
    const isTrusted = file.origin === "person" ||
      trust.isTrusted(workspace, file.label, found.bytes);
    if (isTrusted) declared.push(read);
    else if (read.programs.length > 0) waiting.push(file.label);
  }
  return {
    programs: declared.flatMap(({ programs }) => programs),
    waiting,
    problems: declared.flatMap(({ problems }) => problems),
  };
}
