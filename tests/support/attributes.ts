/** Extended attributes and access lists of real files, by Python, because Deno has no way to them. */

const SCRIPT = `
import json, os, sys
path, wanted = sys.argv[1], json.loads(sys.argv[2])
for name, value in wanted.items(): os.setxattr(path, name, bytes.fromhex(value))
print(json.dumps({name: os.getxattr(path, name).hex() for name in os.listxattr(path)}))
`;

/** A tag, and an access list by which one more user may write. */
export const TAG = { "user.xdg.tags": "776f726b" };
export const ACCESS_LIST = {
  "system.posix_acl_access": "0200000001000600ffffffff0200060039300000" +
    "04000400ffffffff10000600ffffffff20000400ffffffff",
};

/** What a file has, with what it is given first. Throws where the file system has no such thing. */
export async function attributes(
  path: string,
  given: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  const args = ["-c", SCRIPT, path, JSON.stringify(given)];
  const { success, stdout, stderr } = await new Deno.Command("python3", { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** Whether tests can count on them here. */
export async function hasAttributes(): Promise<boolean> {
  if (Deno.build.os !== "linux") return false;
  const file = await Deno.makeTempFile();
  try {
    await attributes(file, { ...TAG, ...ACCESS_LIST });
    return true;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  } finally {
    await Deno.remove(file);
  }
}
