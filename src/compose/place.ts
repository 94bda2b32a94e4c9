/** Where a run takes place: the person's directory, the workspace and the state directory. */
import type { RunOptions } from "./options.ts";
import {
  findWorkspace,
  placeOfPerson,
  prepareHome,
  type StatePaths,
  statePaths,
} from "@/settings/paths.ts";
import { requireTerms } from "@/settings/terms.ts";
import { WAY } from "@/version.ts";

/** Real paths; the state directory exists. */
export type Place = {
  env: Readonly<Record<string, string>>;
  workspace: string;
  /** What paths on the command line are relative to. */
  stoodIn: string;
  paths: StatePaths;
};

/** Find it. Throws PersonError. */
export async function findPlace(run: Pick<RunOptions, "cwd">): Promise<Place> {
  const place = await lookAtPlace(run);
  await prepareHome(place.paths.home);
  return place;
}

/** Find it and make nothing: the state directory need not exist, or be of use. Throws PersonError. */
export async function lookAtPlace(run: Pick<RunOptions, "cwd">): Promise<Place> {
  const env = Deno.env.toObject();
  const stoodIn = await placeOfPerson({ env, cwd: Deno.cwd(), ...taskRoot() });
  const paths = statePaths(env, stoodIn);
  const workspace = await findWorkspace(stoodIn, run.cwd);
  return { env, workspace, stoodIn, paths };
}

/** Terms of use, once; throws PersonError when they are not accepted. */
export async function acceptTerms(
  { env, paths }: Place,
  { ask, warn }: {
    ask?: (text: string, question: string) => Promise<string>;
    warn(line: string): void;
  },
): Promise<void> {
  const options = { file: paths.acceptedTerms, env, ...(ask === undefined ? {} : { ask }) };
  for (const notice of await requireTerms(options)) warn(notice);
}

/** The checkout that `deno task` starts us in; a built file has none. */
function taskRoot(): { taskRoot?: string } {
  if (WAY !== "sources") return {};
  const here = new URL("../../", import.meta.url);
  return here.protocol === "file:" ? { taskRoot: decodeURIComponent(here.pathname) } : {};
}
