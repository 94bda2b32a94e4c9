/** `harness acp`: an editor drives us over standard input and output, by the Agent Client Protocol. */
import { agent, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import type { ClientCapabilities, InitializeResponse } from "@agentclientprotocol/sdk";
import { asRequestError } from "@/acp/errors.ts";
import { cappedLines } from "@/acp/line_cap.ts";
import { checkFilled } from "@/compose/filled.ts";
import type { RunOptions } from "@/compose/options.ts";
import { EndRequest } from "@/talk/signals.ts";
import { errorText } from "@/terminal/error_text.ts";
import { tell } from "@/terminal/process.ts";
import { EXIT } from "@/terminal/exit_code.ts";
import { VERSION } from "@/version.ts";
import { Sessions } from "./acp/sessions.ts";

/** One message may hold images; what is longer is no message. */
const LINE_BYTES_MAX = 32 * 1024 * 1024;

/** Serve until the client closes its end, or a signal comes; resolves to the exit code. Nothing else is written to stdout. */
export async function acp(run: RunOptions): Promise<number> {
  checkFilled(run);
  using end = new EndRequest();
  const sessions = new Sessions(run);
  const input = Deno.stdin.readable.pipeThrough(cappedLines(LINE_BYTES_MAX, () => {
    tell(`a message of more than ${LINE_BYTES_MAX / 1024 / 1024} MB was not read`);
  }));
  const connection = protocol(sessions).connect(ndJsonStream(Deno.stdout.writable, input, {
    maxMessageBytes: LINE_BYTES_MAX + 1,
  }));
  end.onAsked(() => connection.close());
  await connection.closed;
  for (const error of await sessions.close()) tell(errorText(error));
  return end.code ?? EXIT.done;
}

/** What is answered to what. Errors are the protocol's, with our sentences. */
function protocol(sessions: Sessions) {
  let client: ClientCapabilities = {};
  const { session } = methods.agent;
  return agent({ name: "harness" })
    .onRequest(methods.agent.initialize, ({ params }) => {
      client = params.clientCapabilities ?? {};
      return welcome(client);
    })
    .onRequest(methods.agent.authenticate, () => ({}))
    .onRequest(
      session.new,
      ({ params, client: context }) => answered(() => sessions.begin(params, { client, context })),
    )
    .onRequest(
      session.load,
      ({ params, client: context }) =>
        answered(() => sessions.load(params, { client, context, isReplayed: true })),
    )
    .onRequest(
      session.resume,
      ({ params, client: context }) =>
        answered(() => sessions.load(params, { client, context, isReplayed: false })),
    )
    .onRequest(session.list, ({ params }) => answered(() => sessions.list(params)))
    .onRequest(session.close, ({ params }) => answered(() => sessions.end(params.sessionId)))
    .onRequest(
      session.setMode,
      ({ params }) => answered(() => sessions.get(params.sessionId).setMode(params.modeId)),
    )
    .onRequest(
      session.setConfigOption,
      ({ params }) => answered(() => sessions.get(params.sessionId).setOption(params)),
    )
    .onRequest(
      session.prompt,
      ({ params, signal }) =>
        answered(() => sessions.get(params.sessionId).prompt(params.prompt, signal)),
    )
    .onNotification(session.cancel, ({ params }) => sessions.find(params.sessionId)?.cancel());
}

async function answered<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asRequestError(error);
  }
}

function welcome({ auth }: ClientCapabilities): InitializeResponse {
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: "harness", title: "harness", version: VERSION },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, additionalDirectories: {} },
    },
    authMethods: auth?.terminal === true
      ? [{
        id: "connect",
        type: "terminal",
        name: "Connect a model",
        description: "Accept the terms of use and choose a provider and a model, in a terminal",
        args: ["connect"],
      }]
      : [],
  };
}
