/** Components whose vectors ask about several things: which one is seen by the input's shape. */
import type * as z from "zod";
import type { Adapter } from "./adapter.ts";

/** What is asked with one shape of input. */
export function when<T>(
  schema: z.ZodType<T>,
  make: (given: T, vector: Parameters<Adapter>[1]) => unknown,
): Adapter {
  return (input, vector) => {
    const read = schema.safeParse(input);
    return read.success ? make(read.data, vector) : undefined;
  };
}

/** The answer of the first that knows the shape; undefined where none does. */
export function firstOf(...shapes: readonly Adapter[]): Adapter {
  return async (input, vector) => {
    for (const shape of shapes) {
      const answer = await shape(input, vector);
      if (answer !== undefined) return answer;
    }
    return undefined;
  };
}
