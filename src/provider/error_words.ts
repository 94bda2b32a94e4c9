/** Phrases that the error sentences share: who, where from, and what was said. */
import { originText } from "./connection.ts";
import type { ErrorBody } from "./error_body.ts";
import type { Target } from "./failure.ts";

/** Who answered or did not. A server at a base URL of the person's own need not be whom the provider is named after. */
export function server({ connection }: Target): string {
  const { provider, baseUrl, baseUrlFrom } = connection;
  if (provider.isSelfHosted === true || baseUrlFrom.kind === "default") return provider.title;
  return `the server at ${baseUrl}`;
}

/** The base URL and where it was set. */
export function address({ connection }: Target): string {
  return `${connection.baseUrl} (from ${originText(connection.baseUrlFrom)})`;
}

/** The host of the base URL. */
export function host({ connection }: Target): string {
  return new URL(connection.baseUrl).host;
}

/** Where the base URL is to be corrected. */
export function addressPlace({ connection }: Target): string {
  const { provider, baseUrlFrom } = connection;
  switch (baseUrlFrom.kind) {
    case "option":
      return baseUrlFrom.name;
    case "variable":
      return baseUrlFrom.name;
    case "file":
      return `the base URL saved in ${baseUrlFrom.path} (/connect ${provider.name})`;
    case "default":
      return `${provider.baseUrlVariable} or --base-url`;
    default:
      return baseUrlFrom satisfies never;
  }
}

/** The key and where it came from. */
export function key({ connection }: Target): string {
  const { keyFrom } = connection;
  if (keyFrom === undefined) return "the request, which had no key";
  return keyFrom.kind === "file"
    ? `the key saved in ${keyFrom.path}`
    : `the key from ${originText(keyFrom)}`;
}

/** Where a key is set for the first time. */
export function keyPlaces({ connection }: Target): string {
  const { name, keyVariables } = connection.provider;
  return [...keyVariables.map((variable) => `set ${variable}`), `use /connect ${name}`].join(
    " or ",
  );
}

/** As a sentence begins. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The model, quoted. */
export function model({ model: name }: Target): string {
  return name === undefined ? "the model" : `"${name}"`;
}

/** What the server said, with its type and status, to stand behind a sentence. */
export function said({ body, status, inStream }: Said): string {
  const marks = [body.type, body.code === body.type ? undefined : body.code]
    .filter((mark) => mark !== undefined);
  if (!inStream) marks.push(`HTTP ${status}`);
  const about = marks.length === 0 ? "" : ` (${marks.join(", ")})`;
  return body.message === "" ? about : `: ${quoted(body.message)}${about}`;
}

type Said = { body: ErrorBody; status: number; inStream: boolean };

/** A text in one line between quotation marks. */
export function quoted(text: string): string {
  return `"${text.replace(/\s+/g, " ").trim()}"`;
}

/** A duration as a person says it: seconds, then minutes, then hours. */
export function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
