/** All servers of a conversation: read from their files, connected side by side, closed side by side. */
import type { Server } from "./server.ts";
import { type NamedTool, nameTools } from "./names.ts";
import type { RemoteTool } from "./definition.ts";

/** A tool of an attached server, under its name. */
export type AttachedTool = { server: Server; remote: RemoteTool; named: NamedTool };

/** Servers that start at the same time. */
const AT_ONCE = 8;

/** What is attached now. */
export class Servers {
  readonly #all: readonly Server[];

  constructor(all: readonly Server[]) {
    this.#all = all;
  }

  get all(): readonly Server[] {
    return this.#all;
  }

  /** A server by its name or the part of its tools' names. */
  find(name: string): Server | undefined {
    return this.#all.find(({ entry }) => entry.name === name) ??
      this.#all.find(({ slug }) => slug === name);
  }

  /** Connect these, some at a time. Settles when each is attached or failed. */
  async connect(servers: readonly Server[]): Promise<void> {
    const waiting = [...servers];
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        await next.connect();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  /** The tools of all attached servers, `maxPerServer` of each, in the order of the servers and of their lists. */
  tools(maxPerServer: number): readonly AttachedTool[] {
    const taken = this.#all.map((server) => ({
      server,
      remotes: server.tools.slice(0, maxPerServer),
    }));
    const named = nameTools(
      new Map(taken.map(({ server, remotes }) => [server.slug, remotes.map(({ tool }) => tool)])),
    );
    return named.flatMap((one) => {
      const { server, remotes } = taken.find((each) => each.server.slug === one.server) ?? {};
      const remote = remotes?.find(({ tool }) => tool === one.tool);
      return server === undefined || remote === undefined ? [] : [{ server, remote, named: one }];
    });
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#all.map((server) => server.close()));
  }
}
