/** An answer that a program reads: JSON that fits the schema of `--output-schema`, asked for once more when it does not. */
import { readBounded } from "@/lib/bounded_file.ts";
import { checkValue } from "@/mcp/schema_check.ts";
import { PersonError } from "@/protocol/error.ts";
import type { TurnOutcome } from "@/protocol/outcome.ts";
import type { JsonSchema } from "@/protocol/tool.ts";

const BYTES_MAX = 1024 * 1024;

/** Read a schema of at most 1 MB. Throws PersonError of kind "usage". */
export async function readOutputSchema(path: string): Promise<JsonSchema> {
  const refused = (why: string, hint = "Name a file that holds a JSON Schema") =>
    new PersonError("usage", `--output-schema "${path}": ${why}`, hint);
  const file = await readBounded(path, BYTES_MAX);
  if (file.kind === "absent") throw refused("no such file");
  if (file.kind === "refused") throw refused(file.cause);
  const schema = parsed(new TextDecoder().decode(file.bytes));
  if (schema === undefined) throw refused("it is not JSON");
  if (typeof schema.value !== "object" || schema.value === null || Array.isArray(schema.value)) {
    throw refused("a JSON Schema is an object");
  }
  const used = schema.value as JsonSchema;
  if (checkValue(null, used).kind === "unchecked") {
    throw refused("nothing can be checked by it", "A $ref may only name a place in the same file");
  }
  return used;
}

/**
 * Run `prompt` as a turn whose answer fits. `mayAskAgain` is false once the run was asked to end. The answer of the
 * outcome is the JSON alone; one that fits neither time is an outcome of its own, "error" with the cause,
 * which nobody has told the person yet.
 */
export async function sayForSchema(
  prompt: string,
  { schema, say, mayAskAgain }: {
    schema: JsonSchema;
    say(text: string): Promise<TurnOutcome>;
    mayAskAgain(): boolean;
  },
): Promise<{ outcome: TurnOutcome; isTold: boolean }> {
  const first = await say(`${prompt}\n\n${wanted(schema)}`);
  const read = fitting(first, schema);
  if (read.why === undefined || !mayAskAgain()) {
    return { outcome: read.outcome, isTold: true };
  }
  const again = await say(`That answer cannot be used: ${read.why}\n\n${wanted(schema)}`);
  const second = fitting(again, schema);
  const outcome = {
    ...second.outcome,
    requests: first.requests + again.requests,
    calls: [...first.calls, ...again.calls],
  };
  if (second.why === undefined) return { outcome, isTold: true };
  const error = new PersonError(
    "provider",
    `The answer does not fit --output-schema, asked for twice: ${second.why}`,
    "Try a stronger model with -m, or a simpler schema",
  );
  return { outcome: { ...outcome, stop: "error", error }, isTold: false };
}

function wanted(schema: JsonSchema): string {
  return `Your last message must be one JSON value that fits this JSON Schema, and nothing else: no words around it.\n${
    JSON.stringify(schema)
  }`;
}

/** An outcome with the JSON for an answer, or why its answer is none that fits. A turn that did not end by itself stays. */
function fitting(
  outcome: TurnOutcome,
  schema: JsonSchema,
): { outcome: TurnOutcome; why?: string } {
  if (outcome.stop !== "end" && outcome.stop !== "tool_calls") return { outcome };
  const text = outcome.answer.trim();
  const json = /^```(?:json)?\s*\n([^]*?)\n?```$/.exec(text)?.[1]?.trim() ?? text;
  const read = parsed(json);
  if (read === undefined) return { outcome, why: "it is not JSON alone" };
  const checked = checkValue(read.value, schema);
  if (checked.kind === "fits") return { outcome: { ...outcome, answer: json } };
  const why = checked.kind === "refused" ? checked.why : "it cannot be checked by this schema";
  return { outcome, why };
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
