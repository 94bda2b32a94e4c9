/** Takes a word that is meant for the harness out of a reply, while it streams, and says that it was there. */
import type { Provider, ProviderEvent } from "@/protocol/provider.ts";

/** What is listened for in one reply. */
export type Listening = {
  marker: string;
  /** What is said instead where the reply says nothing else. */
  instead: string;
  heard(): void;
};

/** A provider whose replies are without the markers. `listening` is asked at the start of each reply. */
export function withoutMarkers(
  inner: Provider,
  listening: () => Listening | undefined,
): Provider {
  return {
    name: inner.name,
    stream(request, signal) {
      const now = listening();
      const events = inner.stream(request, signal);
      return now === undefined ? events : filtered(events, now);
    },
  };
}

async function* filtered(
  events: AsyncIterable<ProviderEvent>,
  listening: Listening,
): AsyncGenerator<ProviderEvent> {
  const filter = new MarkerFilter(listening.marker);
  let hasMore = false;
  for await (const event of events) {
    if (event.type === "delta" && event.channel === "text") {
      const text = filter.take(event.text);
      hasMore ||= text.trim() !== "";
      if (text !== "") yield { ...event, text };
      continue;
    }
    if (event.type === "retry" && event.discarded) {
      filter.reset();
      hasMore = false;
    } else {
      const rest = filter.flush();
      hasMore ||= rest.trim() !== "" || event.type === "tool_call";
      if (rest !== "") yield { type: "delta", channel: "text", text: rest };
    }
    if (event.type === "done" && filter.isHeard) {
      if (!hasMore) yield { type: "delta", channel: "text", text: listening.instead };
      listening.heard();
    }
    yield event;
  }
}

/** Holds back the longest end of a text that the marker may begin with. */
export class MarkerFilter {
  readonly #marker: string;
  #held = "";
  #isHeard = false;

  constructor(marker: string) {
    this.#marker = marker;
  }

  get isHeard(): boolean {
    return this.#isHeard;
  }

  /** What of the text can be shown now. */
  take(text: string): string {
    const whole = this.#held + text;
    const pieces = whole.split(this.#marker);
    if (pieces.length > 1) this.#isHeard = true;
    const last = pieces.pop() ?? "";
    const held = heldBack(last, this.#marker);
    this.#held = last.slice(last.length - held);
    return pieces.join("") + last.slice(0, last.length - held);
  }

  /** What was held back after all: nothing more comes. */
  flush(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }

  /** The reply begins anew. */
  reset(): void {
    this.#held = "";
    this.#isHeard = false;
  }
}

function heldBack(text: string, marker: string): number {
  for (let length = Math.min(text.length, marker.length - 1); length > 0; length -= 1) {
    if (marker.startsWith(text.slice(text.length - length))) return length;
  }
  return 0;
}
