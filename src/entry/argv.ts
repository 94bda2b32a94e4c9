/** The command line as it was typed. */

/**
 * Turn the single-dash spellings that people know (`-resume`, `-continue`) into ours. After `mcp add NAME` stands the command
 * line of a server, whose options are its own.
 */
export function normalise(argv: readonly string[]): string[] {
  const [first, second, name = "-"] = argv;
  if (first === "mcp" && second === "add" && !name.startsWith("-")) {
    return argv[3] === "--" ? [...argv] : [first, second, "--", ...argv.slice(2)];
  }
  return argv.map((arg) => /^-(resume|continue|print|model)$/.test(arg) ? `-${arg}` : arg);
}
