/** The tools as a model without an interface for calls is told of them: how to write a call, the rules, the list. */
import type { JsonSchema, ToolDefinition } from "@/protocol/tool.ts";
import { portableSchema } from "@/lib/portable_schema.ts";
import { printCall } from "./tool_text/print_call.ts";

const SHORT_TYPES_MAX = 120;

/** The part of the system prompt that offers tools. The same tools give the same bytes. */
export function toolPrompt(offered: readonly ToolDefinition[]): string {
  if (offered.length === 0) return "";
  const tools = offered.map((tool) => ({ ...tool, schema: portableSchema(tool.schema) }));
  return [howToCall(tools), rules(tools), "## The tools", ...tools.map(toolEntry)].join("\n\n");
}

/** Names of the parameters that stand in a call's JSON; the others are blocks. */
export function advertisedParameters(tool: ToolDefinition): string[] {
  return Object.keys(propertiesOf(tool.schema)).filter((name) => !(tool.raw ?? []).includes(name));
}

function howToCall(tools: readonly ToolDefinition[]): string {
  const plain = tools.find((tool) => tool.raw === undefined && requiredOf(tool).length > 0) ??
    tools.find((tool) => tool.raw === undefined) ?? tools[0];
  const withBlock = tools.find((tool) => requiredBlock(tool) !== undefined) ?? tools.find(hasBlock);
  const parts = [
    "# Tools",
    "You act by calling tools. A call is written exactly like this:",
    plain === undefined ? "" : exampleOf(plain),
  ];
  if (withBlock !== undefined) {
    parts.push(
      "A text of several lines (a file, code, input) is not put into the JSON. It follows the JSON, as it is and without any escaping, in a block that has the name of its parameter:",
      exampleOf(withBlock),
    );
  }
  return parts.join("\n\n");
}

function rules(tools: readonly ToolDefinition[]): string {
  const lines = [
    "- The JSON is one object with double quotes, without comments; parameters marked ? may be left out.",
    "- Several calls: one <tool_call> after the other; they run in this order.",
    "- A call inside reasoning or inside a code fence does not run.",
    "- After your calls, stop. Each result comes in the next message, under [Tool Result for 'name']:. Never write a result yourself.",
    "- When no tool is needed, answer in plain text, without <tool_call>.",
  ];
  if (tools.some(hasBlock)) {
    lines.splice(1, 0, '- Only an empty text goes into the JSON instead of its block, as "".');
  }
  return ["Rules:", ...lines].join("\n");
}

/** `write_file(filepath) + <content>`, the description, and what the parameters mean. */
function toolEntry(tool: ToolDefinition): string {
  const properties = propertiesOf(tool.schema);
  const required = requiredOf(tool);
  const shown = advertisedParameters(tool).map((name) => {
    const type = typeText(properties[name]);
    return `${name}${required.includes(name) ? "" : "?"}${type === "string" ? "" : `: ${type}`}`;
  });
  const blocks = (tool.raw ?? []).filter((name) => Object.hasOwn(properties, name)).map((name) =>
    ` + <${name}>${required.includes(name) ? "" : "?"}`
  );
  const lines = [`${tool.name}(${shown.join(", ")})${blocks.join("")}`, tool.description.trim()];
  for (const [name, schema] of Object.entries(properties)) {
    const description = isRecord(schema) ? schema.description : undefined;
    if (typeof description === "string" && description.trim() !== "") {
      lines.push(`- ${name}: ${description.trim().replace(/(?<!\s)\s*\n\s*/g, " ")}`);
    }
  }
  return lines.filter((line) => line !== "").join("\n");
}

/** A type in few words; the schema itself where that is not possible. */
function typeText(schema: unknown): string {
  if (!isRecord(schema)) return "any";
  if (Array.isArray(schema.enum)) {
    return schema.enum.map((value) => JSON.stringify(value)).join("|");
  }
  if (Array.isArray(schema.type)) return schema.type.join("|");
  const either = [schema.anyOf, schema.oneOf].find(Array.isArray);
  if (either !== undefined) return either.map(typeText).join("|");
  if (schema.type === "array") return `list of ${typeText(schema.items)}`;
  if (schema.type !== "object" || !isRecord(schema.properties)) {
    return typeof schema.type === "string" ? schema.type : "any";
  }
  const members = Object.entries(schema.properties).map(([name, inner]) =>
    `${name}: ${typeText(inner)}`
  );
  const text = `{${members.join(", ")}}`;
  return text.length <= SHORT_TYPES_MAX ? text : JSON.stringify(schema);
}

function exampleOf(tool: ToolDefinition): string {
  const blocks = (tool.raw ?? []).filter((name) => requiredOf(tool).includes(name));
  const block = blocks.at(-1) ?? tool.raw?.[0];
  const names = advertisedParameters(tool).filter((name) => requiredOf(tool).includes(name));
  const input: Record<string, unknown> = Object.fromEntries(
    names.map((name) => [name, exampleValue(name, propertiesOf(tool.schema)[name])]),
  );
  if (block !== undefined) input[block] = "the first line\nthe second line";
  return printCall({ name: tool.name, input }, tool.raw ?? []);
}

function exampleValue(name: string, schema: unknown): unknown {
  switch (isRecord(schema) ? schema.type : undefined) {
    case "boolean":
      return true;
    case "integer":
    case "number":
      return 1;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return /dir/.test(name) ? "src" : /path|file/.test(name) ? "src/notes.txt" : "…";
  }
}

function requiredBlock(tool: ToolDefinition): string | undefined {
  return (tool.raw ?? []).find((name) => requiredOf(tool).includes(name));
}

function hasBlock(tool: ToolDefinition): boolean {
  return (tool.raw ?? []).length > 0;
}

function requiredOf(tool: ToolDefinition): readonly string[] {
  const { required } = tool.schema;
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

function propertiesOf(schema: JsonSchema): Record<string, unknown> {
  return isRecord(schema.properties) ? schema.properties : {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
