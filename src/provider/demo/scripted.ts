/**
 * A scripted model, built in, that needs no network. It follows a script and says so; the tools it calls, the
 * questions before them and what they change are real.
 */
import type { Message, ToolCallBlock } from "@/protocol/message.ts";
import {
  type Provider,
  ProviderError,
  type ProviderEvent,
  type Request,
} from "@/protocol/provider.ts";
import { answerFolder, asksAboutFolder } from "./folder.ts";
import { policy } from "./policy.ts";
import { repair } from "./repair.ts";
import { tour } from "./tour.ts";

/** What a script knows when it is asked for its next line. */
export type Scene = {
  /** What the person said. */
  prompt: string;
  /** Names of the tools that are offered. */
  tools: readonly string[];
  /** The calls made since then with their results, in order. */
  done: readonly { call: ToolCallBlock; text: string; status: string }[];
};

/** The next line of a script. */
export type Line = { say: string; call?: { name: string; input: Record<string, unknown> } };

/** A script is a pure function of the scene: the same work on the same files gives the same lines. */
export type Script = (scene: Scene) => Line;

const SCRIPTS: Readonly<Record<string, Script>> = { tour, repair, policy };

/** Names of the scripts, for `/models`. */
export const DEMO_MODELS: readonly string[] = Object.keys(SCRIPTS);

/** The scripted provider. `paceMs` is the pause between two words, so that a person can watch it stream. */
export function demoProvider({ paceMs = 0 }: { paceMs?: number } = {}): Provider {
  return {
    name: "demo",
    async *stream(request: Request, signal: AbortSignal): AsyncGenerator<ProviderEvent> {
      const scene = sceneOf(request);
      const script = scriptOf(request.model);
      const line = asksAboutFolder(scene.prompt) ? answerFolder(scene) : script(scene);
      for (const word of line.say.split(/(?<=\s)/)) {
        if (paceMs > 0) await pause(paceMs, signal);
        if (word !== "") yield { type: "delta", channel: "text", text: word };
      }
      const callId = `demo_${request.messages.length}`;
      if (line.call !== undefined) yield { type: "tool_call", id: callId, ...line.call };
      yield {
        type: "done",
        stop: line.call === undefined ? "end" : "tool_calls",
        usage: { input: charsOf(request), output: line.say.length, cacheRead: 0, cacheWrite: 0 },
        model: request.model,
      };
    },
  };
}

function scriptOf(model: string): Script {
  const script = Object.hasOwn(SCRIPTS, model) ? SCRIPTS[model] : undefined;
  if (script !== undefined) return script;
  const names = DEMO_MODELS.map((name) => `demo/${name}`).join(" and ");
  throw new ProviderError("not_found", `The demo has no model "${model}"`, {
    hint: `There are ${names}`,
  });
}

function sceneOf({ messages, tools }: Request): Scene {
  const start = messages.findLastIndex((m) => m.role === "user" && m.origin === "person");
  const said = messages[start];
  const done: { call: ToolCallBlock; text: string; status: string }[] = [];
  const calls = new Map<string, ToolCallBlock>();
  for (const message of messages.slice(start + 1)) {
    if (message.role === "assistant") {
      for (const block of message.content) {
        if (block.type === "tool_call") calls.set(block.id, block);
      }
    }
    if (message.role !== "tool") continue;
    const call = calls.get(message.callId);
    if (call === undefined) continue;
    done.push({ call, text: message.result.text, status: message.result.status });
  }
  const prompt = said?.role === "user" ? textOf(said) : "";
  return { prompt, tools: tools.map(({ name }) => name), done };
}

/** What the person typed: the first text, before what is attached for it. */
function textOf(message: Extract<Message, { role: "user" }>): string {
  return message.content.find((part) => part.type === "text")?.text ?? "";
}

/** The demo counts characters as tokens would be counted: something to show, priced at nothing. */
function charsOf(request: Request): number {
  return Math.ceil((request.system.length + JSON.stringify(request.messages).length) / 4);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    }, { once: true });
  });
}
