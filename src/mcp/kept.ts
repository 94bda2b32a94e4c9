/** Long results of this run, so that what was cut from them can be read. The oldest are forgotten. */

const KEPT_MAX = 8;
const KEPT_CHARS_MAX = 32 * 1024 * 1024;
const SCHEME = "mcp-result:";

export class KeptTexts {
  readonly #texts = new Map<string, string>();
  #count = 0;

  /** Keep a text; the address under which it is read. */
  keep(text: string): string {
    this.#count += 1;
    const uri = `${SCHEME}${this.#count}`;
    this.#texts.set(uri, text);
    let total = [...this.#texts.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [oldest, { length }] of this.#texts) {
      if (this.#texts.size <= KEPT_MAX && total <= KEPT_CHARS_MAX) break;
      if (oldest === uri) break;
      this.#texts.delete(oldest);
      total -= length;
    }
    return uri;
  }

  /** Whether an address is one of these, forgotten or not. */
  static isKept(uri: string): boolean {
    return uri.startsWith(SCHEME);
  }

  get(uri: string): string | undefined {
    return this.#texts.get(uri);
  }
}
