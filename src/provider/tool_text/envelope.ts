/** Reads what stands between a marker and its closer: one payload after the other, each a unit of its own. */
import type { Envelope, Item, Region, Wrapper } from "./grammar.ts";
import type { Reader, Token } from "./reader.ts";
import { elementRegion } from "./region.ts";

/** What a marker opened: its items, good and bad. Without a payload there is no unit. */
export type Unit = { start: number; end: number; items: readonly Item[] };

/** Closing tags of the last thing in a call: after one of them its closer or its next sibling may stand. */
const LAST_PART = new RegExp(
  String.raw`<\\?/(?:\w+:|[|｜‖]+\s*DSML\s*[|｜‖]+\s*)?` +
    "(?:content|new_content|old_content|text|body|stdin|code|function|invoke|arg_value|param(?:eter)?\\w*)" +
    String.raw`\s*>$`,
  "i",
);
const LAST_PART_CHARS_MAX = 80;

/** What stands around the payloads of one marker. */
function markerEnvelope(reader: Reader, wrapper: Wrapper): Envelope {
  const regions = new Map<number, Region>();
  return {
    kind: "marker",
    closes: (at) => closesPayload(reader, at),
    region(at) {
      const known = regions.get(at);
      if (known !== undefined) return known;
      const region = elementRegion(reader, at, {
        closes: ({ name }) => wrapper.close.includes(name),
        opens: (token) =>
          token.role.kind === "open" && token.name === wrapper.open &&
          reader.startsPayload(token.end) === true,
        mayClose: (place) => isAfterPart(reader, place) || isAfterBracket(reader, place),
        mayOpen: (place) => isAfterPart(reader, place),
      });
      regions.set(at, region);
      return region;
    },
  };
}

/** Whether something stands here that ends a payload: a closing marker, a token of the template, a fence, a block. */
export function closesPayload(reader: Reader, at: number): boolean {
  if (reader.text.startsWith("```", at)) return true;
  const token = reader.token(at);
  if (token === undefined) {
    return /^<(?:content|new_content|old_content|stdin)\s*>/.test(reader.text.slice(at, at + 20));
  }
  return ["close", "end", "open", "result", "unthink"].includes(token.role.kind);
}

/** Read the unit that a marker opens; undefined when no payload follows it. */
export function readUnit(
  reader: Reader,
  open: Token & { role: { kind: "open" } },
): Unit | undefined {
  const { wrapper } = open.role;
  if (reader.startsPayload(open.end) !== true) return undefined;
  const loop = new UnitReader(reader, markerEnvelope(reader, wrapper), wrapper);
  return { start: open.start, ...loop.run(open.end) };
}

/** The items from `from` on, as far as payloads follow one another. */
export function readItems(
  reader: Reader,
  from: number,
  envelope: Envelope,
): { items: readonly Item[]; end: number } {
  return new UnitReader(reader, envelope).run(from);
}

class UnitReader {
  readonly #reader: Reader;
  readonly #envelope: Envelope;
  readonly #wrapper: Wrapper | undefined;
  readonly #items: Item[] = [];
  #at = 0;

  constructor(reader: Reader, envelope: Envelope, wrapper?: Wrapper) {
    this.#reader = reader;
    this.#envelope = envelope;
    this.#wrapper = wrapper;
  }

  run(from: number): { items: readonly Item[]; end: number } {
    this.#at = from;
    while (this.#step());
    return { items: this.#items, end: this.#at };
  }

  /** Take one thing; false at the end of the unit. */
  #step(): boolean {
    const { source } = this.#reader;
    const at = this.#skipBetween(source.skipBlanks(this.#at));
    if (at >= this.#reader.text.length) return this.#stop(at);
    const token = this.#reader.token(at);
    const isDone = token === undefined ? undefined : this.#takeMarker(token);
    if (isDone !== undefined) return !isDone;
    const form = this.#reader.form(at);
    if (form === undefined || form.needsMarker && this.#envelope.kind !== "marker") {
      return this.#skipJunk(at);
    }
    const item = form.read(this.#reader, at, this.#envelope);
    this.#items.push(item);
    this.#at = Math.max(item.end, at + 1);
    return true;
  }

  /** Whether the unit is done with this marker; undefined when the marker starts a payload. */
  #takeMarker(token: Token): boolean | undefined {
    const { kind } = token.role;
    if (kind === "form") return undefined;
    if (this.#wrapper === undefined) return this.#stopAt(token.start);
    if (kind === "end") {
      this.#at = token.end;
      return true;
    }
    if (kind === "close") {
      this.#at = token.end;
      return this.#wrapper.close.includes(token.name);
    }
    if (kind !== "open") return this.#stopAt(token.start);
    // Opened twice, opened by two families, or the opener written again instead of the closer.
    const hasPayload = this.#reader.startsPayload(token.end) === true;
    if (hasPayload && this.#items.length > 0) return this.#stopAt(token.start);
    this.#at = token.end;
    return !hasPayload;
  }

  /** Between payloads: separators, brackets too many, the lines of a fence inside the marker. */
  #skipBetween(from: number): number {
    const { text, source } = this.#reader;
    const isMarker = this.#envelope.kind === "marker";
    if (this.#items.length === 0) return isMarker ? this.#reader.skipFence(from) : from;
    let at = from;
    while (at < text.length && ",;}])".includes(text.charAt(at))) at = source.skipBlanks(at + 1);
    return isMarker ? this.#reader.skipClosingFence(at) : at;
  }

  /** Text that is no payload: passed over up to the unit's closer, if that comes before anything else. */
  #skipJunk(at: number): boolean {
    const wrapper = this.#wrapper;
    if (wrapper === undefined) return this.#stop(at);
    for (const token of this.#reader.tokensFrom(at)) {
      if (token.role.kind === "part") continue;
      if (token.role.kind === "close" && wrapper.close.includes(token.name)) this.#at = token.end;
      else this.#at = Math.max(this.#at, this.#lastEnd());
      return false;
    }
    return this.#stop(this.#lastEnd());
  }

  #lastEnd(): number {
    return this.#items.at(-1)?.end ?? this.#at;
  }

  #stop(at: number): false {
    this.#at = at;
    return false;
  }

  #stopAt(at: number): true {
    this.#at = at;
    return true;
  }
}

/** Whether the closing tag of a block or parameter stands before `at`. */
export function isAfterPart(reader: Reader, at: number): boolean {
  const to = reader.source.skipBlanksBack(at);
  return LAST_PART.test(reader.text.slice(Math.max(0, to - LAST_PART_CHARS_MAX), to));
}

function isAfterBracket(reader: Reader, at: number): boolean {
  return "}])".includes(reader.text.charAt(reader.source.skipBlanksBack(at) - 1) || " ");
}
