/** What the operating system meant, in words for a person. */

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would be larger than the system allows",
  EROFS: "the file system is read-only",
  EACCES: "permission denied",
  EPERM: "the system does not permit it",
  ENOTCAPABLE: "harness itself may not write there",
  ENOENT: "no such file or directory",
  ENOTDIR: "a part of the path is a file, not a directory",
  EISDIR: "a directory is there",
  EEXIST: "something with that name is there already",
  ENOTEMPTY: "the directory is not empty",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "the links lead in a circle",
  EXDEV: "it lies on another device",
  EMFILE: "too many files are open",
  EBUSY: "another program is using it",
};

/** The system's code of an error ("ENOSPC"), "ENOTCAPABLE" for Deno's own no, or an empty text where there is none. */
export function errorCode(error: unknown): string {
  if (error instanceof Deno.errors.NotCapable) return "ENOTCAPABLE";
  if (!(error instanceof Error) || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

/** Whether nothing is at a path: it does not exist, or a part of it is a file. */
export function isNotThere(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
}

/** Whether an error says that there is no room left for a file. */
export function isDiskFull(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT", "EFBIG"].includes(errorCode(error));
}

/** The cause in words; an error without a known code keeps its own text. */
export function fileErrorReason(error: unknown): string {
  if (error instanceof Deno.errors.NotCapable) {
    const kind = /^Requires (\w+) access/.exec(error.message)?.[1] ?? "write";
    if (kind !== "write") return `harness itself was not given ${kind} access there`;
  }
  const known = REASONS[errorCode(error)];
  if (known !== undefined) return known;
  return error instanceof Error ? error.message : String(error);
}

/**
 * Put a sentence in front of what the system said. The error keeps its class, so that a caller can still
 * tell `Deno.errors.NotFound` from the rest; one that is no file error is handed back as it came.
 */
export function withSentence(error: unknown, sentence: string): unknown {
  if (!(error instanceof Error) || errorCode(error) === "") return error;
  if (!error.message.startsWith(sentence)) error.message = `${sentence}: ${fileErrorReason(error)}`;
  return error;
}
