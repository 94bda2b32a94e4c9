/** A value that must never be shown: printing, logging or serialising it gives a placeholder. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself, for the one place that sends it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return "[secret]";
  }

  toJSON(): string {
    return "[secret]";
  }

  [Symbol.for("Deno.customInspect")](): string {
    return "[secret]";
  }
}

/** Half a key is enough to tell which one it is, and enough to start guessing. A word such as "skeleton" is none. */
const KEY_LIKE = /\b(?:(?:sk|pk|rk|gsk|xai|tgp|hf)[-_]|AIza|AQ\.)[-_A-Za-z0-9.*]{6,}/g;
const URL_KEY = /([?&](?:key|api_key|access_token|token)=)[^&\s"')]+/gi;
const URL_USER = /(\b[a-z][a-z0-9+.-]*:\/\/)[^/@\s"']+@/gi;
const BEARER = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/g;

/** A text from outside (an error, a URL) without the given secrets and without anything that looks like a key. */
export function redact(text: string, secrets: readonly (Secret | undefined)[] = []): string {
  let clean = text;
  for (const secret of secrets) {
    const value = secret?.reveal() ?? "";
    if (value !== "") clean = clean.replaceAll(value, "[secret]");
  }
  return clean
    .replace(URL_KEY, "$1[secret]")
    .replace(URL_USER, "$1")
    .replace(BEARER, "$1 [secret]")
    .replace(KEY_LIKE, "[secret]");
}
