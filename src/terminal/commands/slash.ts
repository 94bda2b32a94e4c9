/** What a slash command looks like; the list of them is loaded with the first one that is given. */

/** Whether a prompt is a slash command and not words for the model; a path such as "/etc/hosts is odd" is words. */
export function isSlash(prompt: string): boolean {
  return /^\s*\/[a-z][\w-]*(\s|$)/i.test(prompt);
}
