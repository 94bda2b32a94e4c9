/** A server's question to the person: a form, field by field, or an address to open. Declining is always offered. */
import { isObject } from "@/lib/json.ts";
import { visible } from "@/lib/visible.ts";
import type { Question } from "@/protocol/policy.ts";
import type { ElicitRequest, ElicitResult } from "./client.ts";

/** Puts one question; undefined when there is nobody, or they gave it up. */
export type AskOne = (question: Question) => Promise<string | undefined>;

type Value = string | number | boolean | string[];
type Field = { name: string; schema: Record<string, unknown>; isRequired: boolean };
/** What was made of an answer. */
type Read = { value?: Value } | { problem: string };

const DECLINE = "Decline: tell the server nothing";
const OPENED = "I have opened it";
const TRIES_MAX = 3;

/** Ask. Nothing is opened and nothing is fetched by us: the person does that, or does not. */
export async function elicit(
  server: string,
  request: ElicitRequest["params"],
  ask: AskOne,
): Promise<ElicitResult> {
  const who = `MCP server "${visible(server, { oneLine: true })}"`;
  const message = visible(request.message).trim();
  if (request.mode === "url") return await askUrl({ who, message, url: request.url }, ask);
  return await askForm(`${who} asks: ${message}`, fieldsOf(request.requestedSchema), ask);
}

async function askUrl(
  { who, message, url }: { who: string; message: string; url: string },
  ask: AskOne,
): Promise<ElicitResult> {
  const parsed = URL.parse(url);
  // Anything but a page may be a program to whatever opens it.
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return { action: "decline" };
  const doubt = /(^|\.)xn--/.test(parsed.hostname)
    ? "\nIts host is written in letters of another script, which may look like those of a host that you know"
    : "";
  const text = `${who} asks you to open an address in your browser: ${message}\n${
    visible(parsed.href, { oneLine: true })
  }\nIts host is ${parsed.host}${doubt}`;
  const answer = await ask({ text, options: [OPENED, DECLINE] });
  if (answer === undefined) return { action: "cancel" };
  return { action: answer === OPENED ? "accept" : "decline" };
}

async function askForm(
  intro: string,
  fields: readonly Field[],
  ask: AskOne,
): Promise<ElicitResult> {
  if (fields.length === 0) {
    const answer = await ask({ text: intro, options: ["Yes", DECLINE] });
    if (answer === undefined) return { action: "cancel" };
    return answer === "Yes" ? { action: "accept", content: {} } : { action: "decline" };
  }
  const content: Record<string, Value> = {};
  for (const [at, field] of fields.entries()) {
    const answer = await askField(at === 0 ? `${intro}\n` : "", field, ask);
    if (typeof answer === "string") return { action: answer };
    if (answer.value !== undefined) content[field.name] = answer.value;
  }
  return { action: "accept", content };
}

async function askField(
  intro: string,
  field: Field,
  ask: AskOne,
): Promise<{ value?: Value } | "decline" | "cancel"> {
  let wrong = "";
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const choices = choicesOf(field.schema);
    const answer = await ask({
      text: `${intro}${wrong}${fieldText(field)}`,
      options: [...choices.map(({ label }) => label), DECLINE],
      // A list of several is written with commas.
      freeText: choices.length === 0 || field.schema.type === "array",
    });
    if (answer === undefined) return "cancel";
    if (isDecline(answer)) return "decline";
    const read = readField(answer.trim(), field);
    if (!("problem" in read)) return read;
    wrong = `${read.problem}. `;
  }
  return "cancel";
}

/** On the plain screen it may be typed. */
function isDecline(answer: string): boolean {
  return answer === DECLINE || /^decline$/i.test(answer.trim());
}

function fieldsOf(schema: unknown): readonly Field[] {
  if (!isObject(schema) || !isObject(schema.properties)) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    schema: isObject(property) ? property : {},
    isRequired: required.includes(name),
  }));
}

function fieldText({ name, schema, isRequired }: Field): string {
  const title = typeof schema.title === "string" ? schema.title : name;
  const about = typeof schema.description === "string" ? `: ${schema.description}` : "";
  const notes = [
    ...(schema.type === "array" ? ["several, with commas between them"] : []),
    ...(schema.default === undefined ? [] : [`nothing means ${JSON.stringify(schema.default)}`]),
    ...(isRequired || schema.default !== undefined ? [] : ["may be left out"]),
  ];
  const more = notes.length === 0 ? "" : ` (${notes.join("; ")})`;
  return visible(`${title}${about}${more}`);
}

type Choice = { label: string; value: Value };

/** The values to choose from, in each of the forms that the revisions have. */
function choicesOf(schema: Record<string, unknown>): readonly Choice[] {
  if (schema.type === "boolean") {
    return [{ label: "Yes", value: true }, { label: "No", value: false }];
  }
  const source = schema.type === "array" && isObject(schema.items) ? schema.items : schema;
  const titled = [source.oneOf, source.anyOf].find(Array.isArray);
  if (titled !== undefined) {
    return titled.filter(isObject).map((one) => choice(`${one.const}`, one.title));
  }
  if (!Array.isArray(source.enum)) return [];
  const titles = Array.isArray(source.enumNames) ? source.enumNames : [];
  return source.enum.map((value, at) => choice(`${value}`, titles[at]));
}

function choice(value: string, title: unknown): Choice {
  return { label: visible(typeof title === "string" ? title : value, { oneLine: true }), value };
}

function readField(answer: string, { schema, isRequired, name }: Field): Read {
  if (answer === "") {
    if (schema.default !== undefined) return { value: schema.default as Value };
    return isRequired ? { problem: `${name} is needed` } : {};
  }
  const choices = choicesOf(schema);
  const chosen = (text: string) =>
    choices.find(({ label, value }) => label === text || `${value}` === text)?.value;
  switch (schema.type) {
    case "boolean":
      return typeof chosen(answer) === "boolean"
        ? { value: chosen(answer) as boolean }
        : { problem: `"${answer}" is neither yes nor no` };
    case "number":
    case "integer":
      return readNumber(answer, schema);
    case "array": {
      const values = answer.split(",").map((text) => chosen(text.trim()));
      return values.every((value) => typeof value === "string")
        ? { value: values }
        : { problem: `"${answer}" is not a list of what is offered` };
    }
    default: {
      if (choices.length === 0) return { value: answer };
      const value = chosen(answer);
      return value === undefined ? { problem: `"${answer}" is not offered` } : { value };
    }
  }
}

function readNumber(answer: string, { type, minimum, maximum }: Record<string, unknown>): Read {
  const number = Number(answer);
  if (!Number.isFinite(number) || (type === "integer" && !Number.isInteger(number))) {
    return { problem: `"${answer}" is no ${type === "integer" ? "whole " : ""}number` };
  }
  if (typeof minimum === "number" && number < minimum) {
    return { problem: `${number} is less than ${minimum}` };
  }
  if (typeof maximum === "number" && number > maximum) {
    return { problem: `${number} is more than ${maximum}` };
  }
  return { value: number };
}
