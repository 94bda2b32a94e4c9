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
import { until } from "./until.ts";

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
  made: Scripted,
  options: EditorOptions,
  body: (editor: Editor) => Promise<void>,
): Promise<void> {
  const child = start(made, options);
  const { editor, read, hangUp } = converse(child, options);
  try {
    await editor.agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientCapabilities: options.capabilities ?? {},
    });
    await body(editor);
  } finally {
    editor.connection.close();
    stop(child);
    await Promise.all([child.status, read, hangUp()]);
  }
}

function start(
  { dir, home, api }: Scripted,
  { args = [], env = {}, model = "ollama/m" }: EditorOptions,
): Deno.ChildProcess {
  const [file, ...before] = command({});
  const named = model === "" ? [] : ["-m", model];
  return new Deno.Command(file, {
    args: [...before, "acp", ...named, "--sandbox", "off", "--set", "AUTO_TITLE=off", ...args],
    cwd: dir,
    clearEnv: true,
    env: environment({ home, env: { OLLAMA_HOST: api.url, ...env } }),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

function converse(
  child: Deno.ChildProcess,
  { answer = () => "reject" }: EditorOptions,
): { editor: Editor; read: Promise<unknown>; hangUp(): Promise<unknown> } {
  const updates: SessionNotification[] = [];
  const questions: RequestPermissionRequest[] = [];
  const lines: string[] = [];
  let [stderr, rest] = ["", ""];
  const [forClient, forTest] = child.stdout.tee();
  const read = Promise.all([
    collect(child.stderr, (text) => void (stderr += text)),
    collect(forTest, (text) => {
      const parts = (rest + text).split("\n");
      rest = parts.pop() ?? "";
      lines.push(...parts);
    }),
  ]);
  const toChild = child.stdin.getWriter();
  const output = new WritableStream<Uint8Array>({ write: (bytes) => toChild.write(bytes) });
  const connection = client({ name: "test editor" })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params))
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      questions.push(params);
      return await answered(params, answer);
    })
    .connect(ndJsonStream(output, forClient));
  const editor: Editor = {
    ...{ agent: connection.agent, connection, child, updates, questions, lines, until },
    stderr: () => stderr,
    write: (text) => toChild.write(new TextEncoder().encode(text)),
    leave: async () => {
      await toChild.close();
      return (await child.status).code;
    },
  };
  return { editor, read, hangUp: () => Promise.allSettled([toChild.abort()]) };
}

/** End it, unless it has ended. */
function stop(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
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
