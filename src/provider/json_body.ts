/** The JSON text of a request body. Half a character (a lone surrogate) in it would be refused by every API, for ever. */
export function jsonBody(value: unknown): string {
  const json = JSON.stringify(value);
  // JSON.stringify writes half a character as an escape and a whole one as itself; an escaped backslash is skipped.
  if (!json.includes("\\ud")) return json;
  return json.replace(
    /\\\\|\\ud[89a-f][0-9a-f]{2}/g,
    (found) => found === "\\\\" ? found : "\\ufffd",
  );
}
