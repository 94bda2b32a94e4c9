/** An address of the web as a model writes it. */

/** What is said of a text that is no such address. */
export const ADDRESS_HINT = "an http:// or https:// address without a user name in it";

/** Read one; https where nothing is said. Undefined for any other scheme, and for one that carries a user name. */
export function readWebUrl(text: string): URL | undefined {
  const trimmed = text.trim();
  const url = URL.parse(trimmed) ?? URL.parse(`https://${trimmed}`);
  // "localhost:8000/x" reads as an address of the scheme "localhost".
  const isHostAndPort = /^(?:localhost|[\w-]+(?:\.[\w-]+)+):\d+(?:[/?#]|$)/.test(trimmed);
  const found = isHostAndPort ? URL.parse(`https://${trimmed}`) : url;
  if (found === null || !/^https?:$/.test(found.protocol) || found.hostname === "") {
    return undefined;
  }
  return found.username === "" && found.password === "" ? found : undefined;
}

/** The address as it is decided about and asked for; what is none stays as it is, to be refused. */
export function webUrlText(text: string): string {
  return readWebUrl(text)?.href ?? text.trim();
}
