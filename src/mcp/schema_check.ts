/** Values checked by somebody else's JSON Schema. What cannot be checked is left to the server, which checks as well. */
import { Validator } from "@cfworker/json-schema";
import type { JsonSchema } from "@/protocol/tool.ts";

const PROBLEMS_SHOWN_MAX = 6;

/** What a value came to: it fits, it does not and here is why, or the schema cannot be used (too deep, circular, broken). */
export type Checked = { kind: "fits" | "unchecked" } | { kind: "refused"; why: string };

/** Check a value. Never throws, and never fetches what a `$ref` names. */
export function checkValue(value: unknown, schema: JsonSchema | boolean): Checked {
  try {
    const { valid, errors } = new Validator(schema, draftOf(schema), false).validate(value);
    if (valid) return { kind: "fits" };
    return { kind: "refused", why: problemsIn(errors) };
  } catch (error) {
    // A reference in a circle ends in a RangeError, an unknown one and a broken pattern in an Error.
    if (!(error instanceof Error)) throw error;
    return { kind: "unchecked" };
  }
}

function draftOf(schema: JsonSchema | boolean): "4" | "7" | "2019-09" | "2020-12" {
  const named = typeof schema === "object" ? `${schema.$schema ?? ""}` : "";
  if (/draft-0?4/.test(named)) return "4";
  if (/draft-0?[67]/.test(named)) return "7";
  return named.includes("2019-09") ? "2019-09" : "2020-12";
}

type Problem = { instanceLocation: string; keyword: string; error: string };

/** The innermost problems: those around them only say that there is one. */
function problemsIn(problems: readonly Problem[]): string {
  const inner = problems.filter(({ keyword }) =>
    !/^(properties|items|\$ref|prefixItems)$/.test(keyword)
  );
  const shown = (inner.length > 0 ? inner : problems).map(({ instanceLocation, error }) => {
    const place = instanceLocation.replace(/^#\/?/, "").replaceAll("/", ".");
    return place === "" ? error : `${place}: ${error}`;
  });
  return [...new Set(shown)].slice(0, PROBLEMS_SHOWN_MAX).join("\n");
}
