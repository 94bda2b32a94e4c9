/** One reply of a scripted model, whichever API it is told over. Each fake server renders it in its own format. */

/** A call. `arguments` as text is sent as it stands (for what is no JSON); `id: null` leaves the id out. */
export type ScriptedCall = {
  name: string;
  arguments: Record<string, unknown> | string;
  id?: string | null;
};

export type ScriptedUsage = {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
  /** Part of `output`. */
  thinking?: number;
};

/** What goes wrong, and where in the reply. */
export type Fault =
  /** A refusal instead of a reply. An object as body is sent as JSON. */
  | { kind: "status"; status: number; headers?: Record<string, string>; body?: string | object }
  /** The connection is closed: before anything is sent, or in the middle of a part. */
  | { kind: "drop"; at: "headers" | Part }
  /** The whole reply, under a length that is not its own: too long, and the connection closes; too short, and the rest is cut. */
  | { kind: "length"; off: number }
  /** The body ends properly, but before its time. */
  | { kind: "end"; at: Part }
  /** Nothing more is sent until the client goes; `pings` goes on with what is no content. */
  | { kind: "stall"; at: "headers" | Part; pings?: boolean }
  /** A line that is not the API's. */
  | { kind: "garbage"; at: Part; line: string }
  /** An error inside the 200 stream. */
  | { kind: "error"; at: Part; message: string; type?: string };

/** The parts of a reply, in the order in which they are sent. */
export type Part = "start" | "thinking" | "text" | "call" | "end";

export type ScriptedReply = {
  thinking?: string;
  text?: string;
  calls?: readonly ScriptedCall[];
  /** By default what the rest of the reply means. */
  stop?: "end" | "tool_calls" | "length" | "refusal";
  usage?: ScriptedUsage;
  /** The model that says it answered. */
  model?: string;
  fault?: Fault;
  /** Milliseconds before each frame; none by default. */
  pace?: number;
  /** Bytes per write; by default one write a frame. */
  cut?: number;
  /** Line ends of the stream; LF by default. */
  lineEnd?: "\n" | "\r\n";
};

/** A piece of the rendered stream, and the part of the reply that it belongs to. */
export type Frame = { part: Part; text: string };

/** Pieces of a text that break words and surrogates apart nowhere, as models send them. */
export function pieces(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

/** How a reply ends. */
export function stopOf(reply: ScriptedReply): "end" | "tool_calls" | "length" | "refusal" {
  return reply.stop ?? ((reply.calls?.length ?? 0) > 0 ? "tool_calls" : "end");
}
