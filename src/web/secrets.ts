/**
 * Secrets in a request: the model writes `${NAME}`, and the value is put in where the request is sent, to the one host
 * that the person named it for. What comes back is cleaned of it.
 */
import { readSecretRule } from "@/lib/secret_rule.ts";
import { isAbout, readHostRule } from "@/sandbox/egress/host_rule.ts";
import { addressText, targetOfUrl } from "@/sandbox/egress/target.ts";
import { WebError } from "./fetch.ts";

/** What secrets are found with. */
export type SecretParts = {
  /** `NAME@HOST`, as the person wrote them. */
  rules(): readonly string[];
  /** The person's environment. */
  env: Readonly<Record<string, string>>;
  /** Variables that hold a model provider's key: nothing sends them but the provider. */
  providerKeys: readonly string[];
};

/** A request with its secrets put in; `hide` takes them out of a text. */
export type Filled = {
  headers: Record<string, string>;
  body: string | undefined;
  hide(text: string): string;
};

const PLACEHOLDER = /\$\{([A-Za-z_]\w*)\}/g;

/** The names of the placeholders in a text, once each. */
export function placeholdersIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name))];
}

/**
 * Put them in. In headers every placeholder is one; in a body only those that the person named, because a body may be
 * about anything. Throws WebError for one that may not be sent there.
 */
export function fillSecrets(
  parts: SecretParts,
  { url, headers, body }: { url: URL; headers: Readonly<Record<string, string>>; body?: string },
): Filled {
  const used = new Map<string, string>();
  const put = (text: string, isNamedOnly: boolean) =>
    text.replace(PLACEHOLDER, (whole, name: string) => {
      if (isNamedOnly && !isNamed(parts, name)) return whole;
      const value = valueFor(parts, name, url);
      used.set(name, value);
      return value;
    });
  const filled = Object.entries(headers).map(([name, value]) => [name, put(value, false)]);
  const text = body === undefined ? undefined : put(body, true);
  return {
    headers: Object.fromEntries(filled),
    body: text,
    hide: (reply) => [...used].reduce((left, [name, value]) => hidden(left, name, value), reply),
  };
}

/** The names of the secrets that rules are about. */
export function namesOf(rules: readonly string[]): ReadonlySet<string> {
  return new Set(rules.flatMap((rule) => readSecretRule(rule)?.name ?? []));
}

function isNamed({ rules }: SecretParts, name: string): boolean {
  return namesOf(rules()).has(name);
}

function valueFor(parts: SecretParts, name: string, url: URL): string {
  const start = `\${${name}} was not sent`;
  if (parts.providerKeys.includes(name)) {
    throw new WebError(`${start}: it is a model provider's key, and only the provider gets it`);
  }
  const target = targetOfUrl(url);
  const where = target === undefined ? url.host : addressText(target);
  const hosts = parts.rules().flatMap((rule) => readSecretRule(rule) ?? [])
    .flatMap((rule) => rule.name === name ? readHostRule(rule.host) ?? [] : []);
  const here = hosts.filter((host) => target !== undefined && isAbout(host, target));
  if (here.length === 0) {
    throw new WebError(
      `${start}: the user has not named it for ${where}. They do with /set API_SECRETS ${name}@${url.host}`,
    );
  }
  if (url.protocol !== "https:" && here.every(({ port }) => port === undefined)) {
    throw new WebError(`${start}: ${where} would get it unencrypted; use https://`);
  }
  const value = parts.env[name] ?? "";
  if (value === "") throw new WebError(`${start}: the environment has no ${name}`);
  return value;
}

/** As it is, and as JSON, an address and Basic authentication write it. */
function hidden(text: string, name: string, value: string): string {
  const json = JSON.stringify(value).slice(1, -1);
  const spellings = [
    value,
    json,
    encodeURIComponent(value),
    new TextEncoder().encode(value).toBase64(),
  ];
  return [...new Set(spellings)].reduce(
    (left, spelling) => left.replaceAll(spelling, () => `\${${name}}`),
    text,
  );
}
