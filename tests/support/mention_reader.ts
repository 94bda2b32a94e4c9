/** Mentions over a real tree: the tools, paths and readings of a conversation, with guards and an approver of the test's. */
import { Slots } from "@/lib/slots.ts";
import { readsInWorkspace } from "@/agent/guards/reads_in_workspace.ts";
import { MentionReader } from "@/agent/mentions.ts";
import type { Approval, Guard, GuardedCall } from "@/protocol/policy.ts";
import { listDir } from "@/tools/list_dir.ts";
import { readFile } from "@/tools/read_file.ts";
import { viewImage } from "@/tools/view_image.ts";
import { Confine } from "@/workspace/confine.ts";
import { FileWork } from "@/workspace/file_work.ts";
import { Readings } from "@/workspace/readings.ts";

export type ReaderOptions = {
  charsMax?: number;
  takesPasted?: boolean;
  /** Guards before the one that lets reading inside through. */
  guards?: readonly Guard[];
  approval?: Approval;
  forbidden?: readonly string[];
};

export type TestReader = {
  reader: MentionReader;
  readings: Readings;
  notices: string[];
  /** The calls that were asked about. */
  asked: GuardedCall[];
};

export function mentionReader(workspace: string, options: ReaderOptions = {}): TestReader {
  const readings = new Readings();
  const notices: string[] = [];
  const asked: GuardedCall[] = [];
  const files = new FileWork({ journal: { edit: () => Promise.reject(new Error()) }, readings });
  const confine = new Confine({
    ...{ workspace, added: [], home: workspace, forbidden: options.forbidden ?? [] },
  });
  const reader = new MentionReader({
    deciding: () =>
      Promise.resolve({
        questions: new Slots(() => 1),
        tools: () => [listDir, readFile(files), viewImage],
        resolvePath: (path, effect, leaf) => confine.resolve(path, effect, { leaf }),
        guards: [...options.guards ?? [], readsInWorkspace()],
        approver: (call) => {
          asked.push(call);
          return Promise.resolve(options.approval ?? { answer: "nobody" });
        },
        reachesOf: () => [],
        remember: () => Promise.resolve(),
      }),
    files,
    charsMax: () => options.charsMax ?? 40_000,
    takesPasted: options.takesPasted ?? false,
    notice: (text) => notices.push(text),
  });
  return { reader, readings, notices, asked };
}
