/** One question to a worker without permissions, which is ended afterwards whatever became of it. */

export type OneShot<Question> = {
  /** The worker's file beside this one, without its end. */
  file: string;
  name: string;
  question: Question;
  timeoutMs: number;
  /** What was being done, as the beginning of a sentence: "an image was not unpacked". */
  failing: string;
};

/** Ask it. Rejects with the signal's reason when that is aborted, and when the worker gives no answer in time. */
export async function askOnce<Question, Answer>(
  { file, name, question, timeoutMs, failing }: OneShot<Question>,
  signal: AbortSignal,
): Promise<Answer> {
  signal.throwIfAborted();
  // Beside this file, in the source as in a bundle.
  const end = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const worker = new Worker(new URL(`${file}.${end}`, import.meta.url), {
    type: "module",
    name,
    deno: { permissions: "none" },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const late = () => reject(new Error(`${failing} within ${timeoutMs / 1000} s`));
  const timer = setTimeout(late, timeoutMs);
  worker.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
  worker.onerror = (event) => {
    event.preventDefault();
    reject(new Error(`${failing}: ${event.message}`));
  };
  try {
    worker.postMessage(question);
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    worker.terminate();
  }
}
