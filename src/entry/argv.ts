/** The command line as it was typed. */

/** Turn the single-dash spellings that people know (`-resume`, `-continue`) into ours. */
export function normalise(argv: readonly string[]): string[] {
  return argv.map((arg) => /^-(resume|continue|print|model)$/.test(arg) ? `-${arg}` : arg);
}
