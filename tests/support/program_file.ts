/** Programs that tests write and then run. */

/**
 * Write a program. Another process does, because a file that this one has open for writing cannot be run for as long as any
 * child that is just being started, by whichever test, has it open too ("Text file busy").
 */
export async function writeProgram(path: string, bytes: Uint8Array): Promise<void> {
  const source = `${path}.bytes`;
  await Deno.writeFile(source, bytes);
  const { success } = await new Deno.Command("cp", { args: [source, path] }).output();
  if (!success) throw new Error(`Cannot copy to ${path}`);
  await Deno.chmod(path, 0o755);
  await Deno.remove(source);
}
