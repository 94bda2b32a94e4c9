/** Numbers of tokens as servers state them. Zero and less, which some write for "not known", say nothing. */
import * as z from "zod";

export const tokenCount = z.number().nullish().transform((count) =>
  typeof count === "number" && count > 0 ? count : undefined
);
