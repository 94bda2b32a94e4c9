/** What a slash command looks like; the list of them is loaded with the first one that is given. */

/** The name in a line that starts with a slash, and what stands after it. */
export function slashParts(line: string): { name: string; args: string } {
  const match = /^\/(\S*)\s*([\s\S]*)$/.exec(line.trim());
  return { name: match?.[1] ?? "", args: (match?.[2] ?? "").trim() };
}

/** The command that a line names. */
export function named<C extends { name: string; aliases?: readonly string[] }>(
  line: string,
  commands: readonly C[],
): C | undefined {
  const { name } = slashParts(line);
  return commands.find((one) => one.name === name || one.aliases?.includes(name));
}

/** Whether a prompt is a slash command and not words for the model; a path such as "/etc/hosts is odd" is words. */
export function isSlash(prompt: string): boolean {
  return /^\s*\/[a-z][\w-]*(\s|$)/i.test(prompt);
}
