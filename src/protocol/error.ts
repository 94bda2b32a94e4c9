/** An error that the person can act on. */

/** What class of failure a person meets; the JSON result carries it as `error.kind`. */
export type PersonErrorKind = "usage" | "state" | "auth" | "provider" | "settings" | "terms";

/** An error with a hint, rendered once: in cli.ts or in the sink. `message` names the cause, `hint` the next step. */
export class PersonError extends Error {
  override readonly name = "PersonError";
  readonly kind: PersonErrorKind;
  readonly hint: string;

  constructor(kind: PersonErrorKind, message: string, hint = "", cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.kind = kind;
    this.hint = hint;
  }
}
