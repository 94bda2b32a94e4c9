/** What all sessions have spent today: a file a day in the state directory, to which each run adds lines. */
import { isNotThere } from "@/lib/file_error.ts";
import { join } from "@/lib/path.ts";

const NAME = /^\d{4}-\d{2}-\d{2}\.txt$/;

const DAYS_KEPT = 7;

/** Several runs write at once: a line of a few bytes is appended whole. */
export class Spending {
  readonly #dir: string;

  /** Nothing is created before something is spent. */
  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Note what a request cost at `now`, in dollars. Rejects where it cannot be written. */
  async add(dollars: number, now: Date): Promise<void> {
    await Deno.mkdir(this.#dir, { recursive: true, mode: 0o700 });
    const name = fileName(now);
    const options = { append: true, mode: 0o600 };
    await Deno.writeTextFile(join(this.#dir, name), `${dollars}\n`, options);
  }

  /** What the day of `now` has cost so far, in dollars. */
  async ofDay(now: Date): Promise<number> {
    try {
      const text = await Deno.readTextFile(join(this.#dir, fileName(now)));
      return text.split("\n").map(Number).filter(Number.isFinite).reduce(
        (sum, one) => sum + one,
        0,
      );
    } catch (error) {
      if (isNotThere(error)) return 0;
      throw error;
    }
  }

  /** Remove the files of days long past. The newest stay: a clock that was wrong for a moment forgets nothing of today. */
  async sweep(): Promise<void> {
    try {
      const names: string[] = [];
      for await (const { name } of Deno.readDir(this.#dir)) if (NAME.test(name)) names.push(name);
      for (const name of names.sort().slice(0, -DAYS_KEPT)) {
        await Deno.remove(join(this.#dir, name));
      }
    } catch (error) {
      if (!isNotThere(error)) throw error; // Another run may sweep as well.
    }
  }
}

/** By the person's own day. */
function fileName(now: Date): string {
  const two = (n: number) => String(n).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}.txt`;
}
