/**
 * Vectors whose expectation is believed to be wrong: the hash of component, input and expectation (`task vectors` prints
 * it with a failure) → why. They are skipped with that reason while they fail, and are a failure once they pass.
 */
export const BELIEVED_WRONG: Readonly<Record<string, string>> = {};
