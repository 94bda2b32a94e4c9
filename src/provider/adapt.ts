/**
 * Servers differ in what they take. A 400 that names one optional field, or the cap on the reply, is answered by one
 * more request without it, and remembered for that server and model; a second refusal is the person's.
 */
import { isObject } from "@/lib/json.ts";
import { FailedAttempt, type Failure } from "./failure.ts";
import type { HttpRequest } from "./http.ts";
import type { LearntFacts } from "./server_memory.ts";
import { readRoom } from "./overflow.ts";
import type { Server } from "./server.ts";
import type { Try } from "./wire.ts";

export type Adapting = {
  model: string;
  /** Optional fields of the body, and how a server's sentence speaks of each. */
  optional: Readonly<Record<string, RegExp>>;
  /** The request as the facts want it. */
  build(facts: LearntFacts): HttpRequest;
  /** Other ways out of a refusal; whether it has changed the facts. */
  learn?(failure: Failure, facts: LearntFacts): boolean;
};

/** Send a request; throws FailedAttempt for what no second try can mend. */
export async function openAdapting(
  server: Server,
  { model, optional, build, learn }: Adapting,
  one: Try,
): Promise<ReadableStream<Uint8Array>> {
  const facts = server.facts(model);
  const request = build(facts);
  try {
    return await server.open({ request, model }, one);
  } catch (error) {
    if (!(error instanceof FailedAttempt)) throw error;
    const { failure } = error;
    if (failure.at !== "reply" || (failure.status !== 400 && failure.status !== 422)) throw error;
    const roomTokens = readRoom(failure.body);
    if (roomTokens !== undefined) {
      // Prompt and cap together were too much, which says nothing about the next request.
      const outputTokensMax = Math.min(roomTokens, facts.outputTokensMax ?? Infinity);
      const smaller = build({ ...facts, outputTokensMax });
      return await server.open({ request: smaller, model }, one);
    }
    const isLearnt = learn?.(failure, facts) === true || learnCap(failure, facts) ||
      learnField(failure, { facts, optional, sent: request });
    if (!isLearnt) throw error;
    return await server.open({ request: build(facts), model }, one);
  }
}

type Refusal = Extract<Failure, { at: "reply" }>;
/** Sentences that refuse the cap on the reply and name the model's own. */
const CAPS: readonly RegExp[] = [
  /max_tokens: [\d,]+ > ([\d,]+), which is the maximum allowed number of output tokens/i, // Anthropic
  /supports at most ([\d,]+) (?:completion|output) tokens/i, // OpenAI
  /max(?:_completion|_output)?_tokens`? must be less than or equal to `?([\d,]+)/i, // Groq
];

/** The cap was above the model's own: it is lowered to that. */
function learnCap({ body }: Refusal, facts: LearntFacts): boolean {
  for (const pattern of CAPS) {
    const cap = Number(pattern.exec(body.message)?.[1]?.replaceAll(",", ""));
    if (!(cap > 0) || (facts.outputTokensMax ?? Infinity) <= cap) continue;
    facts.outputTokensMax = cap;
    return true;
  }
  return false;
}

type FieldCheck = {
  facts: LearntFacts;
  optional: Readonly<Record<string, RegExp>>;
  sent: HttpRequest;
};

/** Exactly one of the optional fields that were sent is named: that one is not sent again. */
function learnField({ body }: Refusal, { facts, optional, sent }: FieldCheck): boolean {
  const parsed: unknown = JSON.parse(sent.body ?? "{}");
  const names = Object.keys(optional).filter((name) =>
    isIn(parsed, name) && !facts.refusedFields.has(name)
  );
  const isNamed = (name: string) =>
    body.param?.split(/[.[]/)[0] === name || optional[name]?.test(body.message) === true;
  const named = names.filter(isNamed);
  const [field] = named;
  if (field === undefined || named.length > 1) return false;
  facts.refusedFields.add(field);
  return true;
}

/** Whether a body has a field, itself or in what it lists: a mark stands in its entries. */
function isIn(body: unknown, name: string): boolean {
  if (!isObject(body)) return false;
  return name in body ||
    Object.values(body).some((list) =>
      Array.isArray(list) && list.some((entry) => isObject(entry) && name in entry)
    );
}

/**
 * Signatures that were made elsewhere, or of a history that has changed since, are refused for ever: none of those that
 * were sent is sent again.
 */
export function learnSignatures(
  failure: Failure,
  { refusedSignatures }: LearntFacts,
  { says, sent }: { says: RegExp; sent: readonly string[] },
): boolean {
  if (failure.at !== "reply" || !says.test(failure.body.message)) return false;
  const known = refusedSignatures.size;
  for (const signature of sent) refusedSignatures.add(signature);
  return refusedSignatures.size > known;
}
