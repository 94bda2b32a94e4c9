/** The network of the commands of one run: their namespace, and the way out of it where there is one. */
import { fileErrorReason } from "@/lib/file_error.ts";
import { join } from "@/lib/path.ts";
import type { NetworkFacts } from "@/sandbox/boundary.ts";
import type { SandboxOptions } from "@/sandbox/boundary_options.ts";
import type { Egress } from "@/sandbox/egress/mod.ts";
import { EgressProxy } from "@/sandbox/egress/proxy.ts";
import { NetworkSpace } from "@/sandbox/network_space.ts";
import type { PrivateDir } from "@/sandbox/private_dir.ts";

type Parts = {
  options: Pick<SandboxOptions, "processes" | "egress">;
  dir: PrivateDir;
  /** Absolute path of bwrap. */
  program: string;
  /** Real paths that programs are not taken from. */
  roots: readonly string[];
};

/** Opened once a run. */
export class NetworkWay {
  #space: NetworkSpace | undefined;
  #proxy: EgressProxy | undefined;
  #why: string | undefined;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The namespace, while it lives. */
  get space(): NetworkSpace | undefined {
    return this.#space;
  }

  get facts(): NetworkFacts {
    const isShared = this.#space?.entrance !== undefined;
    if (this.#space?.proxyPort !== undefined) {
      const through = this.#parts.options.egress?.through;
      return { isShared, ...(through === undefined ? {} : { through }) };
    }
    return { isShared, why: this.#why ?? "its namespace, or what led out of it, has ended" };
  }

  /** Make the namespace. Without nsenter, or where it may not be entered, each command has one of its own. */
  async open(): Promise<void> {
    const { options: { processes }, program, dir, roots } = this.#parts;
    const nsenter = await processes.find("nsenter", roots);
    if (nsenter === undefined) {
      this.#why = "nsenter (util-linux) is not installed";
      return;
    }
    this.#space = await NetworkSpace.open({ processes, bwrap: program, nsenter, private: dir });
    if (this.#space === undefined) this.#why = "no network namespace can be kept here";
  }

  /** Give it up: the boundary does not hold with it. */
  async giveUp(): Promise<void> {
    await this.close();
    this.#space = undefined;
    this.#why = "a network namespace cannot be shared by commands here";
  }

  /** Open the way out. What goes wrong is told by `facts`. */
  async leadOut(): Promise<void> {
    const { options: { egress }, dir } = this.#parts;
    const space = this.#space;
    if (space === undefined) return;
    if (egress === undefined) {
      this.#why = "nothing leads out of it";
      return;
    }
    const path = join(dir.path, "egress.sock");
    try {
      this.#proxy = listen(egress, path);
    } catch (error) {
      // The boundary holds all the same, with no way out of it.
      if (!(error instanceof Error)) throw error;
      this.#why = `the socket that leads out cannot be opened (${fileErrorReason(error)})`;
      return;
    }
    if (!await space.forwardTo(path)) this.#why = "the program that leads out of it did not start";
  }

  async close(): Promise<void> {
    await this.#space?.close();
    await this.#proxy?.[Symbol.asyncDispose]();
    this.#proxy = undefined;
  }
}

function listen(egress: Egress, path: string): EgressProxy {
  const listener = Deno.listen({ transport: "unix", path });
  const proxy = new EgressProxy(egress, listener, { asking: "command" });
  proxy.unref();
  return proxy;
}
