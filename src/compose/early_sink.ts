/** Events from before there is a harness to take them. */
import type { Event, Sink } from "@/protocol/event.ts";

/** For parts that are built before the harness that takes their events: those wait until it is there. */
export class EarlySink {
  readonly #waiting: Event[] = [];
  #sink: Sink | undefined;

  connect(sink: Sink): void {
    this.#sink = sink;
    for (const event of this.#waiting.splice(0)) sink(event);
  }

  /** A warning for the person. */
  readonly warn = (text: string, about?: string): void =>
    this.emit({ type: "notice", level: "warn", text, ...(about !== undefined && { about }) });

  readonly emit = (event: Event): void => {
    if (this.#sink === undefined) this.#waiting.push(event);
    else this.#sink(event);
  };
}
