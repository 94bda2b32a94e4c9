/** A temporary directory for one test, removed afterwards whatever happens. */
export async function withWorkspace(body: (dir: string) => Promise<void>): Promise<void> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "harness-test-" }));
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
