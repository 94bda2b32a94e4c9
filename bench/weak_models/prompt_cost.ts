/** What the first request carries before anything is said: instructions and tools, by the interface they are told over. */
import { estimateTokens } from "@/lib/tokens.ts";
import { startFakeAnthropic } from "../../tests/support/fake_anthropic.ts";
import type { FakeApi, Script } from "../../tests/support/fake_api.ts";
import { startFakeGemini } from "../../tests/support/fake_gemini.ts";
import { startFakeOllama } from "../../tests/support/fake_ollama.ts";
import { startFakeChat } from "../../tests/support/fake_openai_chat.ts";
import { scripted } from "../../tests/support/mcp.ts";
import { output, program, scratch } from "../program.ts";

const SAID = "hello";

type Way = {
  name: string;
  model: string;
  start(script: Script): FakeApi;
  env(url: string): Record<string, string>;
};

const WAYS: readonly Way[] = [
  {
    name: "text protocol (a model without tool calls)",
    model: "ollama/small",
    start: (script) =>
      startFakeOllama(script, { models: { small: { capabilities: ["completion"] } } }),
    env: (url) => ({ OLLAMA_HOST: url }),
  },
  {
    name: "native, Ollama",
    model: "ollama/small",
    start: (script) => startFakeOllama(script),
    env: (url) => ({ OLLAMA_HOST: url }),
  },
  {
    name: "native, Chat Completions",
    model: "openai/small",
    start: (script) => startFakeChat(script),
    env: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "sk-test" }),
  },
  {
    name: "native, Anthropic",
    model: "anthropic/claude-small",
    start: (script) => startFakeAnthropic(script),
    env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "sk-ant-test" }),
  },
  {
    name: "native, Gemini",
    model: "gemini/gemini-small",
    start: (script) => startFakeGemini(script),
    env: (url) => ({ GEMINI_BASE_URL: url, GEMINI_API_KEY: "test" }),
  },
];

const TOOLS_OF_A_SERVER = 24;

/** Bytes and estimated tokens of each, without what was said; and how much more with a big MCP server. */
export async function promptCosts(): Promise<string[]> {
  const lines: string[] = [];
  for (const way of WAYS) {
    const alone = await firstRequest(way);
    const beside = await firstRequest(way, {
      big: { ...scripted({ count: TOOLS_OF_A_SERVER }), sandbox: false },
    });
    lines.push(
      `  ${way.name}: ${bytes(alone)} bytes, about ${estimateTokens(alone)} tokens; ` +
        `with a server of ${TOOLS_OF_A_SERVER} tools ${bytes(beside) - bytes(alone)} bytes more`,
    );
  }
  return lines;
}

async function firstRequest(
  { model, start, env }: Way,
  mcpServers: Record<string, unknown> = {},
): Promise<string> {
  await using api = start(() => ({ text: "Hello." }));
  await using at = await scratch({ OLLAMA_HOST: "http://127.0.0.1:1", ...env(api.url) });
  await Deno.mkdir(`${at.dir}/state`);
  await Deno.writeTextFile(`${at.dir}/state/mcp.json`, JSON.stringify({ mcpServers }));
  await output(program("-p", SAID, "-m", model, "--set", "MCP_STARTUP_WAIT=60"), at);
  return JSON.stringify(api.bodies[0]).replace(JSON.stringify(SAID), '""');
}

function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
