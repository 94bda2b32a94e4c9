/** Calls that arrive in fragments, whichever way a server marks which fragment belongs to which call. */
import * as z from "zod";
import type { ProviderEvent } from "@/protocol/provider.ts";
import { isObject } from "@/lib/json.ts";
import { readArguments } from "@/lib/json_args.ts";
import type { ReplyEvents } from "./reply_events.ts";

const fragmentSchema = z.looseObject({
  index: z.number().nullish(),
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string().nullish(), arguments: z.unknown().optional() })
    .nullish(),
});

type OpenCall = {
  index: number | undefined;
  id: string;
  name: string;
  text: string;
  whole: unknown;
};

export class CallFragments {
  readonly #events: ReplyEvents;
  readonly #calls: OpenCall[] = [];

  constructor(events: ReplyEvents) {
    this.#events = events;
  }

  get count(): number {
    return this.#calls.length;
  }

  /** Take one fragment. What is none is a call of its own, which then names no tool. */
  add(value: unknown): void {
    const read = fragmentSchema.safeParse(value);
    const { index, id, function: called } = read.success
      ? read.data
      : { index: undefined, id: undefined, function: undefined };
    const name = called?.name ?? "";
    const call = this.#find({ index: index ?? undefined, id: id ?? "", name }) ??
      this.#open(index ?? undefined);
    if (call.id === "") call.id = id ?? "";
    // Some servers repeat the whole name in each fragment.
    if (call.name === "") call.name = name;
    if (typeof called?.arguments === "string") call.text += called.arguments;
    else if (isObject(called?.arguments)) call.whole = called.arguments;
  }

  /** The calls, complete. With `isCut` the reply ended at its cap: the last one may lack its end. */
  *events(isCut: boolean): Generator<ProviderEvent, void, undefined> {
    for (const [at, { id, name, text, whole }] of this.#calls.entries()) {
      const args = text === "" ? whole : text;
      const isLast = at === this.#calls.length - 1;
      const isBroken = isCut && isLast && readArguments(args).damage !== undefined;
      yield this.#events.call({ id, name, args, isCut: isBroken });
    }
  }

  /** The call that a fragment continues; undefined when it begins one. */
  #find(fragment: { index: number | undefined; id: string; name: string }): OpenCall | undefined {
    const { index, id, name } = fragment;
    if (index !== undefined) {
      const call = this.#calls.findLast((candidate) => candidate.index === index);
      // Some servers number every whole call 0: another id with a name of its own begins another call.
      const isOther = call !== undefined && id !== "" && call.id !== "" && call.id !== id &&
        name !== "";
      return isOther ? undefined : call;
    }
    if (id !== "") return this.#calls.find((candidate) => candidate.id === id);
    return name === "" ? this.#calls.at(-1) : undefined;
  }

  #open(index: number | undefined): OpenCall {
    const call = { index, id: "", name: "", text: "", whole: undefined };
    this.#calls.push(call);
    return call;
  }
}
