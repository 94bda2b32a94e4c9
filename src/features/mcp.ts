/** MCP servers: their tools, `/mcp`, and what the screen says of them. */
import type { Feature, FeatureParts, FeatureWork } from "@/compose/feature.ts";
import { once } from "@/lib/once.ts";
import type { Hook } from "@/protocol/hook.ts";
import type { Attached } from "./mcp/attached.ts";

/** Make it. */
export function mcp(parts: FeatureParts): Feature<"mcp"> {
  let made: Attached | undefined;
  // Whoever asks first has them read; they connect beside everything else.
  const attached = once(async () => {
    const { attach } = await import("./mcp/attached.ts");
    made = await attach(parts, () => isShown);
    return made;
  });
  // What a command shows of each server is not told beside it.
  let isShown = false;
  return {
    name: "mcp",
    lend: {
      mcp: {
        act: async (request) => {
          const { act, showsAll } = await import("./mcp/commands.ts");
          isShown = showsAll(request);
          try {
            return await act({ attached, personalFile: parts.place.paths.mcp }, request);
          } finally {
            isShown = false;
          }
        },
      },
    },
    work: async (shared) => {
      const { mayHaveServers } = await import("@/policy/project_files.ts");
      const { workspace, paths } = parts.place;
      // Where none is declared nothing of it is loaded; one may be declared later.
      const isBrought = (parts.profile.mcp ?? parts.clientServers) !== undefined;
      if (isBrought || await mayHaveServers(workspace, paths.mcp)) {
        await attached();
      }
      let own: FeatureWork | undefined;
      return lateWork(() => own ??= made?.work(shared));
    },
    alive: () => Promise.resolve(made?.rows() ?? []),
    close: async () => await made?.close(),
  };
}

/** The work of what may be made later. */
function lateWork(now: () => FeatureWork | undefined): FeatureWork {
  return {
    isOwn: true,
    get tools() {
      return now()?.tools ?? [];
    },
    prompt: () => now()?.prompt?.() ?? "",
    guards: [async (call) => {
      for (const guard of now()?.guards ?? []) {
        const decision = await guard(call);
        if (decision !== undefined) return decision;
      }
      return undefined;
    }],
    hooks: [{
      name: "MCP servers",
      beforeRequest: (signal) => {
        const { hooks } = now() ?? {};
        return hooks && textsOf(hooks, signal);
      },
      afterTool: (...after) => {
        const { hooks } = now() ?? {};
        return hooks && tellAll(hooks, after);
      },
    }],
    sink: (event) => now()?.sink?.(event),
  };
}

async function textsOf(hooks: readonly Hook[], signal: AbortSignal): Promise<string | undefined> {
  const texts: string[] = [];
  for (const hook of hooks) texts.push(await hook.beforeRequest?.(signal) ?? "");
  return texts.filter((text) => text !== "").join("\n\n") || undefined;
}

async function tellAll(
  hooks: readonly Hook[],
  after: Parameters<NonNullable<Hook["afterTool"]>>,
): Promise<void> {
  for (const hook of hooks) await hook.afterTool?.(...after);
}
