/** Tells the modes that the person gave from those that we left: a person's mode outlives the bytes around it. */
export class FileModes {
  readonly #left = new Map<string, number>();
  readonly #person = new Map<string, number>();

  /** A file was made, or is gone: what was known of an earlier one counts no more. */
  begin(path: string, mode: number | undefined): void {
    this.#person.delete(path);
    this.#left.delete(path);
    if (mode !== undefined) this.know(path, mode);
  }

  /** We left a file with this mode. */
  know(path: string, mode: number): void {
    this.#left.set(path, mode);
  }

  /** We found a file with this mode. */
  see(path: string, mode: number): void {
    const left = this.#left.get(path);
    if (left !== undefined && left !== mode) this.#person.set(path, mode);
    this.know(path, mode);
  }

  person(path: string): number | undefined {
    return this.#person.get(path);
  }
}
