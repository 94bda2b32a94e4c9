/** Writes a call in the one form that the prompt teaches. What is written here is read back as the same call. */

/** Text that could end a raw block or be taken for another marker; such a body goes into the JSON. */
const MARKER_LIKE =
  /<\s*[\\/|｜‖]|<[a-z_]+:|<(?:content|new_content|old_content|text|body|stdin|code|think|tool|function|invoke|param|arg_)|\[\/?[A-Z]{3}|\[Tool Result|```|~~~/i;

/** `raw` names the parameters that the tool takes as raw blocks. */
export function printCall(
  call: { name: string; input: Readonly<Record<string, unknown>> },
  raw: readonly string[],
): string {
  const inJson: [string, unknown][] = [];
  const blocks: string[] = [];
  for (const [name, value] of Object.entries(call.input)) {
    if (typeof value === "string" && raw.includes(name) && isSafeBlock(value)) {
      blocks.push(`<${name}>\n${value}\n</${name}>`);
    } else inJson.push([name, value]);
  }
  const json = `{"name": ${JSON.stringify(call.name)}, "arguments": ${spaced(inJson)}}`;
  return ["<tool_call>", json, ...blocks, "</tool_call>"].join("\n");
}

/** A blank block is left out when it is read, and a carriage return at its end would be taken for the tag's. */
function isSafeBlock(value: string): boolean {
  return value.trim() !== "" && !value.endsWith("\r") && !MARKER_LIKE.test(value);
}

/** JSON on one line with a blank after colons and commas between members, as the prompt shows it. */
function spaced(members: readonly [string, unknown][]): string {
  const written = members.map(([name, value]) => `${JSON.stringify(name)}: ${valueText(value)}`);
  return `{${written.join(", ")}}`;
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (value !== null && typeof value === "object") return spaced(Object.entries(value));
  return JSON.stringify(value) ?? "null";
}
