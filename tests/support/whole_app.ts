/** The whole program in this process, without a terminal: a scripted Ollama, a workspace and a home of its own. */
import { join } from "node:path";
import { type App, buildApp } from "@/app.ts";
import type { RunOptions } from "@/compose/options.ts";
import type { ScreenParts } from "@/compose/parts.ts";
import type { Place } from "@/compose/place.ts";
import type { Event } from "@/protocol/event.ts";
import { statePaths } from "@/settings/paths.ts";
import { NOBODY } from "@/talk/nobody.ts";
import type { FakeApi, Script } from "./fake_api.ts";
import { startFakeAnthropic } from "./fake_anthropic.ts";
import { startFakeOllama } from "./fake_ollama.ts";
import { withWorkspace } from "./workspace.ts";

export type WholeApp = { app: App; api: FakeApi; events: Event[]; dir: string; home: string };

export type WholeAppOptions = {
  run?: RunOptions;
  screen?: Partial<ScreenParts>;
  isInteractive?: boolean;
  /** Claude over a scripted Messages API, instead of a model of Ollama's. */
  isClaude?: boolean;
  /** Called with the workspace before anything is built. */
  plant?(dir: string): Promise<void>;
};

/** A scripted model's API, with a workspace and a home of its own beside it. */
export type Desk = { api: FakeApi; root: string; dir: string; home: string };

/** Make one. */
export async function withDesk(
  script: Script,
  body: (desk: Desk) => Promise<void>,
  isClaude = false,
): Promise<void> {
  await withWorkspace(async (root) => {
    await using api = isClaude ? startFakeAnthropic(script) : startFakeOllama(script);
    const [dir, home] = [join(root, "ws"), join(root, "home")];
    await Deno.mkdir(dir);
    await Deno.mkdir(home);
    await body({ api, root, dir, home });
  });
}

/**
 * Build it, use it, close it; the body gives back a conversation that another took the place of the first, which was closed
 * then. Everything is allowed unless `run` says otherwise.
 */
export async function withApp(
  script: Script,
  body: (whole: WholeApp) => Promise<App | void>,
  { run = { auto: true }, screen = {}, isInteractive = true, isClaude = false, plant }:
    WholeAppOptions = {},
): Promise<void> {
  await withDesk(script, async ({ api, root, dir, home }) => {
    await plant?.(dir);
    const env = {
      PATH: Deno.env.get("PATH") ?? "",
      HOME: root,
      HARNESS_HOME: home,
      ...(isClaude
        ? { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: "sk-ant-test" }
        : { OLLAMA_HOST: api.url }),
    };
    const place: Place = { env, workspace: dir, stoodIn: dir, paths: statePaths(env, dir) };
    const events: Event[] = [];
    // A script has a reply for each request of the conversation, and none for a title.
    const set = run.set?.some((one) => one.startsWith("AUTO_TITLE")) === true
      ? run.set
      : ["AUTO_TITLE=off", ...run.set ?? []];
    const app = await buildApp({
      run: {
        model: isClaude ? "anthropic/claude-opus-5" : "ollama/m",
        sandbox: "off",
        ...run,
        set,
      },
      place,
      isInteractive,
      needsModel: true,
      makeScreen: () => ({ ...NOBODY, ...screen, sinks: [(event) => void events.push(event)] }),
      warn: () => {},
    });
    let last = app;
    try {
      last = await body({ app, api, events, dir, home }) ?? app;
    } finally {
      await last.close();
    }
  }, isClaude);
}

type Sent = {
  messages: { role: string; content: string }[];
  tools?: { function: { name: string } }[];
};

/** What a request said: the system prompt, the texts of all messages, and the tools that were offered. */
export function sent(body: unknown): { system: string; texts: string[]; tools: string[] } {
  const { messages, tools = [] } = body as Sent;
  return {
    system: messages.find(({ role }) => role === "system")?.content ?? "",
    texts: messages.filter(({ role }) => role !== "system").map(({ content }) => content),
    tools: tools.map((tool) => tool.function.name),
  };
}
