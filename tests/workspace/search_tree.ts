import { dirname, join } from "node:path";

/** Writes files (text or bytes) below a directory; a path that ends in "/" is an empty directory. */
export async function plant(
  root: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    await Deno.mkdir(name.endsWith("/") ? path : dirname(path), { recursive: true });
    if (name.endsWith("/")) continue;
    await (typeof content === "string"
      ? Deno.writeTextFile(path, content)
      : Deno.writeFile(path, content));
  }
}

/** UTF-16 with a byte order mark. */
export function utf16(text: string, isLittle = true): Uint8Array {
  const bytes = new Uint8Array(2 + 2 * text.length);
  const view = new DataView(bytes.buffer);
  [0xfeff, ...Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))]
    .forEach((unit, at) => view.setUint16(2 * at, unit, isLittle));
  return bytes;
}
