/** What Gemini's generateContent refuses in a body. */
import {
  base64,
  type Json,
  list,
  object,
  refuse,
  schemaWords,
  string,
  toolName,
  unique,
} from "./shared.ts";
import { geminiJsonSchema } from "./schema.ts";

const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/;
const UNSUPPORTED = [
  "$ref",
  "$defs",
  "additionalProperties",
  "const",
  "oneOf",
  "allOf",
  "$schema",
  "not",
  "patternProperties",
];
const DATA = ["text", "functionCall", "functionResponse", "inlineData"];

export type GeminiOptions = {
  /** Whether calls of the current turn must carry their signature (Gemini 3 and later). */
  needsSignatures: boolean;
};

export function checkGemini(body: Json, options: GeminiOptions): void {
  if (body.systemInstruction !== undefined) {
    parts(object(body.systemInstruction, "system_instruction").parts, "system_instruction.parts");
  }
  tools(body.tools);
  generationConfig(body.generationConfig);
  const contents = list(body.contents, "contents").map((entry, at) =>
    object(entry, `contents[${at}]`)
  );
  if (contents.length === 0) refuse("* GenerateContentRequest.contents: contents is not specified");
  turns(contents);
  if (options.needsSignatures) signatures(contents);
}

function tools(value: unknown): void {
  if (value === undefined) return;
  const names: string[] = [];
  for (const entry of list(value, "tools")) {
    for (
      const [at, declared] of list(
        object(entry, "tools").functionDeclarations,
        "tools[0].function_declarations",
      ).entries()
    ) {
      const where = `tools[0].function_declarations[${at}]`;
      const tool = object(declared, where);
      if (tool.parameters !== undefined && tool.parametersJsonSchema !== undefined) {
        refuse(`${where}: parameters and parameters_json_schema are mutually exclusive`);
      }
      if (tool.parameters !== undefined) openApi(tool.parameters, where);
      if (tool.parametersJsonSchema !== undefined) {
        geminiJsonSchema(tool.parametersJsonSchema, where);
      }
      names.push(toolName(tool.name, where, NAME));
    }
  }
  unique(names, "Duplicate function declaration found: names");
}

function openApi(schema: unknown, where: string): void {
  const root = object(schema, where);
  if (root.type === "object" && Object.keys(object(root.properties ?? {}, where)).length === 0) {
    refuse(
      `* GenerateContentRequest.${where}.parameters.properties: should be non-empty for OBJECT type`,
    );
  }
  for (const [word, value] of schemaWords(schema)) {
    if (UNSUPPORTED.includes(word)) {
      refuse(
        `Invalid JSON payload received. Unknown name "${word}" at '${where}.parameters': Cannot find field.`,
      );
    }
    if (word === "enum" && list(value, where).some((entry) => typeof entry !== "string")) {
      refuse(`Invalid value at '${where}.parameters.enum' (TYPE_STRING)`);
    }
    if (word === "type" && Array.isArray(value)) {
      refuse(`Proto field is not repeating, cannot start list at '${where}'`);
    }
  }
}

function generationConfig(value: unknown): void {
  if (value === undefined) return;
  const thinking = object(value, "generation_config").thinkingConfig;
  if (thinking === undefined) return;
  const config = object(thinking, "thinking_config");
  if (config.thinkingLevel !== undefined && config.thinkingBudget !== undefined) {
    refuse("You can only set only one of thinking budget and thinking level.");
  }
}

function turns(contents: Json[]): void {
  let calls: Json[] = [];
  let previous = "model";
  for (const [at, content] of contents.entries()) {
    const where = `contents[${at}]`;
    const role = content.role;
    if (role !== "user" && role !== "model") refuse("Please use a valid role: user, model.");
    if (role === previous) {
      refuse("Please ensure that multiturn requests alternate between user and model.");
    }
    previous = role;
    const entries = parts(content.parts, `${where}.parts`);
    const responses = entries.flatMap((part) =>
      part.functionResponse === undefined ? [] : [object(part.functionResponse, where)]
    );
    if (role === "user") matching(calls, responses);
    else if (responses.length > 0) {
      refuse(
        "Please ensure that function response turn comes immediately after a function call turn.",
      );
    }
    const made = entries.flatMap((part) =>
      part.functionCall === undefined ? [] : [object(part.functionCall, where)]
    );
    if (made.length > 0 && role === "user") {
      refuse("Function calls are only allowed in a model turn.");
    }
    calls = made;
  }
  if (calls.length > 0) matching(calls, []);
  if (previous !== "user") {
    refuse("Please ensure that single turn requests end with a user role or a function response.");
  }
}

function inlineData(value: unknown, place: string): void {
  const data = object(value, place);
  if (!/^image\//.test(String(data.mimeType))) refuse(`Unsupported MIME type: ${data.mimeType}`);
  base64(data.data, `${place}.inline_data.data`);
}

function parts(value: unknown, where: string): Json[] {
  const entries = list(value, where).map((part, at) => object(part, `${where}[${at}]`));
  if (entries.length === 0) {
    refuse(`* GenerateContentRequest.${where}: contents.parts must not be empty.`);
  }
  for (const [at, part] of entries.entries()) {
    const place = `${where}[${at}]`;
    const kinds = DATA.filter((kind) => part[kind] !== undefined);
    if (kinds.length !== 1) {
      refuse(
        `* GenerateContentRequest.${place}.data: required oneof field 'data' must have one initialized field`,
      );
    }
    if (
      part.text !== undefined && string(part.text, place) === "" &&
      part.thoughtSignature === undefined
    ) {
      refuse(
        `* GenerateContentRequest.${place}.data: required oneof field 'data' must have one initialized field`,
      );
    }
    if (part.functionCall !== undefined) {
      const call = object(part.functionCall, place);
      toolName(call.name, place, NAME);
      object(call.args ?? {}, `${place}.function_call.args`);
    }
    if (part.functionResponse !== undefined) {
      const response = object(part.functionResponse, place);
      object(response.response, `${place}.function_response.response`);
      for (const inner of list(response.parts ?? [], `${place}.function_response.parts`)) {
        inlineData(object(inner, place).inlineData, `${place}.function_response.parts`);
      }
    }
    if (part.inlineData !== undefined) {
      inlineData(part.inlineData, place);
    }
  }
  return entries;
}

function matching(calls: Json[], responses: Json[]): void {
  if (calls.length === 0 && responses.length > 0) {
    refuse(
      "Please ensure that function response turn comes immediately after a function call turn.",
    );
  }
  const isSame = calls.length === responses.length &&
    calls.every((call, at) => {
      const response = responses[at];
      return response?.name === call.name && (call.id === undefined || response?.id === call.id);
    });
  if (!isSame) {
    refuse(
      "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
    );
  }
}

/** Since the last text of the user, the first call of each step carries its signature. */
function signatures(contents: Json[]): void {
  const start = contents.findLastIndex((content) =>
    content.role === "user" &&
    list(content.parts, "").some((part) => object(part, "").text !== undefined)
  );
  for (const content of contents.slice(start + 1)) {
    if (content.role !== "model") continue;
    const calls = list(content.parts, "").map((part) => object(part, "")).filter((part) =>
      part.functionCall !== undefined
    );
    const [first] = calls;
    if (first !== undefined && !first.thoughtSignature) {
      const name = object(first.functionCall, "").name;
      refuse(
        `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\`, position 1.`,
      );
    }
  }
}
