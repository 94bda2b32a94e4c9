/** Why an edit has no commit. It stands all the same, and /undo takes it back. */
export class Skipped extends Error {
  override readonly name = "Skipped";

  /**
   * `why` is a clause that begins with its subject. The person is told once for each `kind`; not at all without one,
   * where nobody would expect a commit.
   */
  constructor(readonly why: string, readonly kind: string | undefined) {
    super(why);
  }
}
