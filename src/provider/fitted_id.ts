/** Ids of calls as a target takes them, whoever made them. */
import { sha256Hex } from "@/lib/hash.ts";

/** What a target takes as an id. */
export type IdForm = { pattern: RegExp; charsMax: number };

/**
 * An id that the target takes: the id itself where it fits, else letters and digits made from it. It depends on the
 * id alone, so call and result agree, in this request and in every later one.
 */
export function fittedId(id: string, { pattern, charsMax }: IdForm): string {
  if (id.length <= charsMax && pattern.test(id)) return id;
  return sha256Hex(id).slice(0, Math.min(charsMax, 24));
}
