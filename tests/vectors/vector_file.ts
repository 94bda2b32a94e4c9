/** A file of vectors: groups of input → expected outcome, one group a component. */
import { createHash } from "node:crypto";
import { z } from "zod";

const vectorSchema = z.object({
  id: z.string().min(1),
  description: z.string().default(""),
  input: z.unknown(),
  expected: z.record(z.string(), z.unknown()),
});

const fileSchema = z.object({
  about: z.object({ SAMPLE: z.string().optional() }).default({}),
  groups: z.array(z.object({ component: z.string().min(1), vectors: z.array(vectorSchema) })),
});

/** One vector, with what the file abbreviates written out. */
export type Vector = {
  component: string;
  id: string;
  /** Names the content: the same for the same component, input and expectation under any id. */
  hash: string;
  input: unknown;
  expected: Readonly<Record<string, unknown>>;
};

/** Reads a vector file. Throws an error that names the file and what is wrong with it. */
export async function readVectors(path: string): Promise<Vector[]> {
  const text = await Deno.readTextFile(path);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Error(
      `Cannot read "${path}" as JSON: ${error instanceof Error ? error.message : error}`,
    );
  }
  return parseVectors(json, path);
}

/** The vectors of a file that is read already; `path` is only for the error. */
export function parseVectors(json: unknown, path: string): Vector[] {
  const read = fileSchema.safeParse(json);
  if (!read.success) {
    throw new Error(`"${path}" is not a vector file:\n${z.prettifyError(read.error)}`);
  }
  const { about, groups } = read.data;
  return groups.flatMap(({ component, vectors }) =>
    vectors.map(({ id, input, expected }) => {
      const hash = hashOf({ component, input, expected });
      return { component, id, hash, ...writtenOut(input, expected, about.SAMPLE) };
    })
  );
}

/**
 * `SAMPLE` stands for the file's sample text, and `unchanged` for the file that the input gave. Where the available tools
 * are given, calls without `reported` say that nothing is reported.
 */
function writtenOut(
  input: unknown,
  expected: Record<string, unknown>,
  sample: string | undefined,
): Pick<Vector, "input" | "expected"> {
  if (!isObject(input)) return { input, expected };
  if ("chunks" in input && "note" in expected) {
    const { note: _remark, ...outcome } = expected; // A remark of the file's author, not an outcome.
    return { input, expected: outcome };
  }
  if ("tools" in input && "calls" in expected) {
    return { input, expected: { reported: false, ...expected } };
  }
  if (typeof input.file !== "string") return { input, expected };
  const file = input.file === "SAMPLE" && sample !== undefined ? sample : input.file;
  const after = expected.file_after === "unchanged" ? { file_after: file } : {};
  return { input: { ...input, file }, expected: { ...expected, ...after } };
}

function hashOf(content: unknown): string {
  return createHash("sha256").update(canonical(content)).digest("hex").slice(0, 16);
}

/** JSON with the keys of every object in order. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const pairs = Object.keys(value).sort().map((key) =>
    `${JSON.stringify(key)}:${canonical(value[key])}`
  );
  return `{${pairs.join(",")}}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
