/** What the fake APIs share: a script, the requests they saw, and the faults of a reply. */
import { setTimeout as delay } from "node:timers/promises";
import { type FakeHttp, type FakeRequest, type Reply, serveFake } from "./fake_http.ts";
import type { Fault, Frame, Part, ScriptedReply } from "./scripted_reply.ts";

/** Replies in order, or a function of what was asked. */
export type Script =
  | readonly ScriptedReply[]
  | ((body: unknown, index: number) => ScriptedReply | Promise<ScriptedReply>);

/** What an API is, so that a script can be told over it. */
export type FakeWire = {
  contentType: string;
  /** Whether this is a request for a reply of the model. */
  isChat(request: FakeRequest): boolean;
  /** Anything else that the API answers: lists of models and the like. */
  other(request: FakeRequest): { status: number; body: unknown } | undefined;
  /** What the real API would refuse about a request for a reply. */
  refusal(request: FakeRequest, body: unknown): { status: number; body: unknown } | undefined;
  frames(reply: ScriptedReply, request: FakeRequest, body: unknown): Frame[];
  error(fault: Extract<Fault, { kind: "error" }>): string;
  /** The bytes of frames, where the API's stream is no text. */
  encode?(text: string): Uint8Array;
  /** What keeps a connection alive and is no content. */
  ping: string;
};

export type FakeApi = AsyncDisposable & {
  /** The base URL, without a path. */
  url: string;
  /** Requests for a reply, in order. */
  readonly requests: readonly FakeRequest[];
  /** Their bodies. */
  readonly bodies: readonly unknown[];
  /** All other requests. */
  readonly others: readonly FakeRequest[];
  /** Times that a client went before its reply was over. */
  readonly left: number;
  /** Resolves as soon as a client has gone before its reply was over. */
  leaving(): Promise<void>;
};

const encoder = new TextEncoder();
const PING_MS = 15;

export function startFakeApi(
  wire: FakeWire,
  script: Script,
  tls?: { cert: string; key: string },
): FakeApi {
  const requests: FakeRequest[] = [];
  const bodies: unknown[] = [];
  const others: FakeRequest[] = [];
  const leaving = Promise.withResolvers<void>();
  const server: FakeHttp = serveFake(async (request, reply) => {
    if (!wire.isChat(request)) {
      others.push(request);
      const answer = wire.other(request) ?? { status: 404, body: "404 page not found" };
      const text = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body);
      return await reply.whole(answer.status, text, { "content-type": "application/json" });
    }
    const body: unknown = JSON.parse(request.body);
    const index = requests.length;
    requests.push(request);
    bodies.push(body);
    const refusal = wire.refusal(request, body);
    if (refusal !== undefined) {
      return await reply.whole(refusal.status, JSON.stringify(refusal.body), {
        "content-type": "application/json",
      });
    }
    const next = typeof script === "function" ? await script(body, index) : script[index];
    if (next === undefined) return await reply.whole(400, `The script has no reply ${index + 1}`);
    reply.gone.then(() => leaving.resolve());
    await tell(wire, next, { request, body, reply });
  }, tls);
  return {
    url: server.url,
    requests,
    bodies,
    others,
    get left() {
      return server.left;
    },
    leaving: () => leaving.promise,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

type Telling = { request: FakeRequest; body: unknown; reply: Reply };

async function tell(
  wire: FakeWire,
  next: ScriptedReply,
  { request, body, reply }: Telling,
): Promise<void> {
  const { fault } = next;
  if (fault?.kind === "status") {
    const text = typeof fault.body === "object" ? JSON.stringify(fault.body) : fault.body ?? "";
    const type = typeof fault.body === "object" ? "application/json" : "text/plain";
    return await reply.whole(fault.status, text, { "content-type": type, ...fault.headers });
  }
  if (fault?.kind === "drop" && fault.at === "headers") return reply.drop();
  if (fault?.kind === "stall" && fault.at === "headers") return await reply.gone;
  const frames = wire.frames(next, request, body);
  if (fault?.kind === "length") {
    const bytes = encoded(wire, frames.map((frame) => frame.text).join(""));
    return await reply.whole(200, bytes, { "content-type": wire.contentType }, fault.off);
  }
  await reply.start(200, { "content-type": wire.contentType });
  const send = (text: string) =>
    sendCut(
      reply,
      encoded(wire, next.lineEnd === "\r\n" ? text.replaceAll("\n", "\r\n") : text),
      next.cut,
    );
  for (const frame of frames) {
    if (next.pace !== undefined) await delay(next.pace);
    if (fault === undefined || frame.part !== placeOf(fault)) {
      await send(frame.text);
      continue;
    }
    if (await spoil(wire, fault, { frame, reply, send })) return;
    await send(frame.text);
  }
  await reply.end();
}

function placeOf(fault: Fault): Part | "headers" | undefined {
  return fault.kind === "status" || fault.kind === "length" ? undefined : fault.at;
}

type Spoiling = { frame: Frame; reply: Reply; send(text: string): Promise<void> };

/** Whether that was the end of the reply. */
async function spoil(
  wire: FakeWire,
  fault: Fault,
  { frame, reply, send }: Spoiling,
): Promise<boolean> {
  switch (fault.kind) {
    case "status":
    case "length":
      return false;
    case "drop": {
      const bytes = encoded(wire, frame.text);
      await reply.chunk(bytes.subarray(0, Math.ceil(bytes.length / 2)));
      reply.drop();
      return true;
    }
    case "end":
      await reply.end();
      return true;
    case "stall":
      await stall(wire, fault, reply);
      return true;
    case "garbage":
      await send(`${fault.line}\n`);
      return false;
    case "error":
      await send(wire.error(fault));
      await reply.end();
      return true;
  }
}

async function stall(wire: FakeWire, { pings }: { pings?: boolean }, reply: Reply): Promise<void> {
  const state = { isGone: false };
  const gone = reply.gone.then(() => {
    state.isGone = true;
  });
  if (pings !== true) return await gone;
  while (!state.isGone) {
    await reply.chunk(encoded(wire, wire.ping));
    const { promise: pause, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, PING_MS);
    await Promise.race([pause, gone]);
    clearTimeout(timer);
  }
}

function encoded(wire: FakeWire, text: string): Uint8Array {
  return wire.encode?.(text) ?? encoder.encode(text);
}

async function sendCut(reply: Reply, bytes: Uint8Array, cut: number | undefined): Promise<void> {
  if (cut === undefined) return await reply.chunk(bytes);
  for (let at = 0; at < bytes.length; at += cut) {
    await reply.chunk(bytes.subarray(at, at + cut));
    // A turn of the event loop, so that the pieces arrive one by one.
    await Promise.resolve();
  }
}
