/** Makes a commit out of its parent and a few entries, by one process that reads no index and checks nothing out. */
import { GitError, type GitSession } from "@/workspace/git.ts";
import { joinBytes } from "@/lib/bytes.ts";
import { randomHex } from "@/lib/random.ts";
import { zeros } from "./git_entry.ts";
import type { Form } from "./stored_form.ts";

/** A file in the commit, or that it is gone. */
export type TreeChange = { path: string; to: { mode: string; form: Form } | null };

/** What the commit says. */
export type CommitText = { parent: string | null; message: string; at: Date };

/** Make a commit, and write `more` blobs besides. Its id. No ref keeps it. Throws GitError. */
export async function makeCommit(
  session: GitSession,
  { parent, message, at }: CommitText,
  { changes, more }: { changes: readonly TreeChange[]; more: readonly Form[] },
): Promise<string> {
  const ref = `refs/harness-${randomHex(8)}`;
  const parts: (string | Uint8Array)[] = ["feature done\n"];
  for (const form of more) if (!form.isWritten) parts.push("blob\n", ...data(form.bytes));
  parts.push(`commit ${ref}\n`, "mark :1\n", `committer ${identity(session, at)}\n`);
  parts.push(...data(new TextEncoder().encode(message)));
  if (parent !== null) parts.push(`from ${parent}\n`);
  for (const { path, to } of changes) {
    if (to === null) parts.push(`D ${quoted(path)}\n`);
    else if (to.form.isWritten) parts.push(`M ${to.mode} ${to.form.id} ${quoted(path)}\n`);
    else parts.push(`M ${to.mode} inline ${quoted(path)}\n`, ...data(to.form.bytes));
  }
  // The ref is taken back within the same stream, so that none is ever seen.
  const nothing = zeros(session.repository.objectFormat);
  parts.push("\nget-mark :1\n", `reset ${ref}\nfrom ${nothing}\n\n`, "done\n");
  const { stdout } = await session.answer([
    ...["-c", "fastimport.unpackLimit=1000"],
    ...["fast-import", "--quiet", "--force", "--done"],
  ], { stdin: bytesOf(parts) });
  const id = stdout.text().trim();
  if (!/^[0-9a-f]{40,64}$/.test(id)) throw new GitError(`git fast-import answered "${id}"`);
  return id;
}

/** The person, where git knows them; nobody is invented. */
function identity({ config }: GitSession, at: Date): string {
  const [name, email] = [config.get("user.name"), config.get("user.email")].map(clean);
  const who = name && email ? `${name} <${email}>` : "harness <harness@localhost>";
  return `${who} ${Math.floor(at.getTime() / 1000)} ${zone(at)}`;
}

function clean(text = ""): string {
  return text.replace(/[<>\p{Cc}]/gu, "").trim();
}

function zone(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  const two = (number: number) => String(number).padStart(2, "0");
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? "-" : "+"}${two(hours)}${two(rest)}`;
}

function data(bytes: Uint8Array): (string | Uint8Array)[] {
  return [`data ${bytes.length}\n`, bytes, "\n"];
}

/** A path as fast-import reads it whatever is in it. */
function quoted(path: string): string {
  return `"${path.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}

function bytesOf(parts: readonly (string | Uint8Array)[]): Uint8Array {
  const encoder = new TextEncoder();
  return joinBytes(parts.map((part) => typeof part === "string" ? encoder.encode(part) : part));
}
