import { join } from "node:path";
import type { ResolvedPath } from "@/protocol/policy.ts";
import { Confine } from "@/workspace/confine.ts";
import { withWorkspace } from "../support/workspace.ts";

/** A workspace `ws` with files, beside it `out` (outside), `state` (forbidden), `more` (added) and `home`. */
export async function withTree(
  body: (dir: string, confine: Confine) => Promise<void>,
): Promise<void> {
  await withWorkspace(async (dir) => {
    for (const name of ["ws/src", "ws-evil", "out/sub", "state", "more", "home"]) {
      Deno.mkdirSync(join(dir, name), { recursive: true });
    }
    for (
      const name of ["ws/src/a.ts", "ws-evil/secret", "out/secret", "state/keys.json", "more/m"]
    ) {
      Deno.writeTextFileSync(join(dir, name), name);
    }
    await body(dir, confineOf(dir));
  });
}

export function confineOf(dir: string): Confine {
  return new Confine({
    workspace: join(dir, "ws"),
    added: [join(dir, "more")],
    home: join(dir, "home"),
    forbidden: [join(dir, "state")],
  });
}

export function link(target: string, at: string): void {
  Deno.symlinkSync(target, at);
}

export function allowed(real: string): ResolvedPath {
  return { real, outside: false };
}
