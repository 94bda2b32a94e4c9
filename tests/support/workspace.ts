/** A temporary directory for one test, removed afterwards whatever happens. `under`: where, if not where they usually are. */
export async function withWorkspace(
  body: (dir: string) => Promise<void>,
  { under }: { under?: string } = {},
): Promise<void> {
  const where = { prefix: "harness-test-", ...(under !== undefined && { dir: under }) };
  const dir = await Deno.realPath(await Deno.makeTempDir(where));
  try {
    await body(dir);
  } finally {
    await removed(dir);
  }
}

const REMOVE_MS = 10_000;

/** Remove it. A program whose terminal was closed may still be writing its last there. */
async function removed(dir: string): Promise<void> {
  const end = performance.now() + REMOVE_MS;
  while (true) {
    try {
      return await Deno.remove(dir, { recursive: true });
    } catch (error) {
      const isFilled = error instanceof Error && "code" in error && error.code === "ENOTEMPTY";
      if (!isFilled || performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
