/** The files that declare servers: whose they are, what they say, and whether the project's count. */
import { join } from "@/lib/path.ts";
import { readBounded } from "@/lib/bounded_file.ts";
import { PROJECT_MCP_FILES } from "@/policy/project_files.ts";
import type { Trust } from "@/policy/trust.ts";
import type { Origin } from "@/mcp/config.ts";

const FILE_BYTES_MAX = 1024 * 1024;

/** One file that is there. `isTrusted` says whether its exact contents count. */
export type FoundFile = { label: string; origin: Origin; text: string; isTrusted: boolean };

/** What was found, and what could not be read. */
export type Found = { files: readonly FoundFile[]; problems: readonly string[] };

/** Look: what the profile brings, then the project's, then the person's, then an editor's. */
export async function findFiles(
  { workspace, personal, trust, profile, client }: {
    workspace: string;
    personal: string;
    trust: Pick<Trust, "isTrusted">;
    /** Of the profile that the person started with. */
    profile?: { label: string; text: string };
    /** What an editor brings; of the same name, everybody else's counts. */
    client?: string;
  },
): Promise<Found> {
  const files: FoundFile[] = profile === undefined
    ? []
    : [{ ...profile, origin: "person", isTrusted: true }];
  const problems: string[] = [];
  const places = [
    ...PROJECT_MCP_FILES.map((name) => ({
      path: join(workspace, name),
      label: name,
      origin: "project" as const,
    })),
    { path: personal, label: personal, origin: "person" as const },
  ];
  for (const { path, label, origin } of places) {
    // A home as the workspace: its mcp.json is the person's own.
    if (origin === "project" && path === personal) continue;
    const file = await readBounded(path, FILE_BYTES_MAX);
    if (file.kind === "absent") continue;
    if (file.kind === "refused") {
      problems.push(`No MCP server of ${label} is started: it cannot be read (${file.cause})`);
      continue;
    }
    const isTrusted = origin === "person" || trust.isTrusted(workspace, label, file.bytes);
    files.push({ label, origin, text: new TextDecoder().decode(file.bytes), isTrusted });
  }
  if (client !== undefined) {
    files.push({ label: "your editor", origin: "client", text: client, isTrusted: true });
  }
  return { files, problems };
}
