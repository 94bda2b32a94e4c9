/** `${VAR}`, `${env:VAR}` and `${VAR:-default}` in the entry of a server. */

const VARIABLE = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** A text with its variables replaced, and the names of those that are not set. */
export type Expanded = { value: string; missing: readonly string[] };

/** Replace the variables of a text. What is not set and has no default is missing; the text is then of no use. */
export function expand(text: string, env: Readonly<Record<string, string>>): Expanded {
  const missing: string[] = [];
  const value = text.replace(VARIABLE, (_, name: string, otherwise: string | undefined) => {
    const own = Object.hasOwn(env, name) ? env[name] : undefined;
    // As in a shell: ":-" also stands in for a variable that is set to nothing.
    if (own !== undefined && (own !== "" || otherwise === undefined)) return own;
    if (otherwise === undefined) missing.push(name);
    return otherwise ?? "";
  });
  return { value, missing };
}

/** Why an entry with variables that are not set is of no use. */
export function missingText(missing: readonly string[]): string {
  const names = [...new Set(missing)];
  return `${names.join(", ")} ${names.length === 1 ? "is" : "are"} not set`;
}
