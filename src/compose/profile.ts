/** The profile of a run: a directory that a person can read, with `profile.md`, `policy.toml` and `mcp.toml`. */
import type { OrderedRules } from "@/policy/ordered.ts";
import type { RunOptions } from "./options.ts";
import type { Place } from "./place.ts";

/** What makes one agent different from another. */
export type Profile = {
  name: string;
  /** Real path of its directory; absent for those that come with harness. */
  directory?: string;
  /** Its part of the system prompt; "" for none. */
  prompt: string;
  /** The model that it wants, PROVIDER/MODEL. */
  model?: string;
  /** The only tools that it has besides those that belong to the harness; absent for all. */
  tools?: readonly string[];
  rules?: OrderedRules;
  /** Servers that it brings, as the JSON of a file that declares them; `label` is the path of what was read. */
  mcp?: { label: string; text: string };
  /** What its sub-agents are hired as; absent: as itself. */
  agents?: Profile;
};

/** The one that is there without `--profile`. */
export const CODER: Profile = { name: "coder", prompt: "" };

/** The options that say which profile, and what it may do. */
export type ProfileOptions = Pick<RunOptions, "profile" | "trust" | "addDir">;

/** Read it. Throws PersonError, with file and line where something in it is not understood. */
export async function loadProfile(run: ProfileOptions, place: Place): Promise<Profile> {
  if (run.profile === undefined) return CODER;
  const { readProfile } = await import("./profile_read.ts");
  return await readProfile(run.profile, run, place);
}

/** Whether a tool is one of those that a profile names, by any of its names and with wildcards. */
export async function toolChoice(
  { tools }: Profile,
): Promise<((tool: { name: string; otherNames?: readonly string[] }) => boolean) | undefined> {
  if (tools === undefined) return undefined;
  const { compileGlob, matchGlob } = await import("@/policy/glob.ts");
  const globs = tools.map((name) => compileGlob(name));
  return ({ name, otherNames = [] }) =>
    globs.some((glob) => [name, ...otherNames].some((one) => matchGlob(glob, one)));
}
