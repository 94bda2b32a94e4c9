/** The SDK's client side over the pipes of the real program: what an editor is to us. */
import {
  client,
  type ClientCapabilities,
  type ClientConnection,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
} from "@agentclientprotocol/sdk";
import { command, environment } from "./program.ts";
import type { Scripted } from "./scripted_world.ts";

export type Editor = {
  agent: ClientConnection["agent"];
  connection: ClientConnection;
  child: Deno.ChildProcess;
  /** What it was told, in order. */
  updates: SessionNotification[];
  /** Questions that were put. */
  questions: RequestPermissionRequest[];
  /** Every line of standard output, as it came. */
  lines: string[];
  stderr(): string;
  /** Waits until a condition holds. */
  until(isTrue: () => boolean): Promise<void>;
  /** Write bytes beside the protocol. */
  write(text: string): Promise<void>;
  /** Close its input; resolves to the exit code. */
  leave(): Promise<number>;
};

export type EditorOptions = {
  args?: readonly string[];
  env?: Record<string, string>;
  capabilities?: ClientCapabilities;
  /** The answer to a question; the one id of an option, or nothing while it is not answered. */
  answer?(request: RequestPermissionRequest): string | undefined | Promise<string | undefined>;
  model?: string;
};

/** Start it as an editor does, and say hello. */
export async function withEditor(
  { dir, home, api }: Scripted,
  options: EditorOptions,
  body: (editor: Editor) => Promise<void>,
): Promise<void> {
  const { args = [], env = {}, capabilities = {}, answer = () => "reject", model = "ollama/m" } =
    options;
  const [file, ...before] = command({});
  const child = new Deno.Command(file, {
    args: [
      ...before,
      "acp",
      ...(model === "" ? [] : ["-m", model]),
      "--sandbox",
      "off",
      "--set",
      "AUTO_TITLE=off",
      ...args,
    ],
    cwd: dir,
    clearEnv: true,
    env: environment({ home, env: { OLLAMA_HOST: api.url, ...env } }),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const updates: SessionNotification[] = [];
  const questions: RequestPermissionRequest[] = [];
  const lines: string[] = [];
  let stderr = "";
  const errors = collect(child.stderr, (text) => void (stderr += text));
  const [forClient, forTest] = child.stdout.tee();
  let rest = "";
  const heard = collect(forTest, (text) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
  });
  const toChild = child.stdin.getWriter();
  const output = new WritableStream<Uint8Array>({ write: (bytes) => toChild.write(bytes) });
  const connection = client({ name: "test editor" })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params))
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      questions.push(params);
      return await answered(params, answer);
    })
    .connect(ndJsonStream(output, forClient));
  const { agent } = connection;
  try {
    await agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientCapabilities: capabilities,
    });
    await body({
      ...{ agent, connection, child, updates, questions, lines },
      stderr: () => stderr,
      until,
      write: (text) => toChild.write(new TextEncoder().encode(text)),
      leave: async () => {
        await toChild.close();
        return (await child.status).code;
      },
    });
  } finally {
    connection.close();
    try {
      child.kill("SIGKILL");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // It has ended.
    }
    await Promise.all([child.status, heard, errors]);
  }
}

async function answered(
  params: RequestPermissionRequest,
  answer: NonNullable<EditorOptions["answer"]>,
): Promise<RequestPermissionResponse> {
  const optionId = await answer(params);
  if (optionId === undefined) return await new Promise(() => {});
  return { outcome: { outcome: "selected", optionId } };
}

async function collect(stream: ReadableStream<Uint8Array>, take: (text: string) => void) {
  const decoder = new TextDecoder();
  for await (const bytes of stream) take(decoder.decode(bytes, { stream: true }));
}

async function until(isTrue: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!isTrue()) {
    if (performance.now() > end) throw new Error("What was waited for did not come");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
