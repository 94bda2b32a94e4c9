/** What AWS's own programs read of a person's environment: profile, files and region. */
import { join } from "@/lib/path.ts";
import type { Env } from "@/lib/proxy.ts";

/** Where a region is asked for that nobody has named. */
export const DEFAULT_REGION = "us-east-1";

const FILE_BYTES_MAX = 1024 * 1024;

/** The files of profiles; undefined where neither a variable nor a home names one. */
export function awsFiles(env: Env): { config?: string; credentials?: string } {
  const home = env.HOME ?? env.USERPROFILE;
  const config = filled(env.AWS_CONFIG_FILE) ?? inHome(home, "config");
  const credentials = filled(env.AWS_SHARED_CREDENTIALS_FILE) ?? inHome(home, "credentials");
  return {
    ...(config === undefined ? {} : { config }),
    ...(credentials === undefined ? {} : { credentials }),
  };
}

/** The profile that is meant. */
export function awsProfile(env: Env): string {
  return filled(env.AWS_PROFILE) ?? "default";
}

/** The region: of the environment, else of the profile, else the default. */
export function awsRegion(env: Env): string {
  return filled(env.AWS_REGION) ?? filled(env.AWS_DEFAULT_REGION) ?? profileRegion(env) ??
    DEFAULT_REGION;
}

/** Whether keys stand in the environment, and are used: a profile that is named comes before them, as in AWS's SDK. */
export function hasEnvKeys(env: Env): boolean {
  return filled(env.AWS_PROFILE) === undefined && filled(env.AWS_ACCESS_KEY_ID) !== undefined &&
    filled(env.AWS_SECRET_ACCESS_KEY) !== undefined;
}

/** Where credentials come from, in words. Nothing of them is in it. */
export function credentialsFrom(env: Env): string {
  if (hasEnvKeys(env)) return "AWS_ACCESS_KEY_ID in the environment";
  const profile = awsProfile(env);
  if (filled(env.AWS_PROFILE) !== undefined) return `profile "${profile}" (AWS_PROFILE)`;
  return `profile "${profile}", else what this machine is given`;
}

export function filled(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : value.trim();
}

function inHome(home: string | undefined, name: string): string | undefined {
  return home === undefined ? undefined : join(home, ".aws", name);
}

function profileRegion(env: Env): string | undefined {
  const { config } = awsFiles(env);
  const text = config === undefined ? undefined : readSmall(config);
  if (text === undefined) return undefined;
  const profile = awsProfile(env);
  const names = profile === "default" ? ["default", "profile default"] : [`profile ${profile}`];
  let isMeant = false;
  for (const line of text.split("\n")) {
    const section = /^\s*\[\s*([^\]]*?)\s*\]/.exec(line)?.[1];
    if (section !== undefined) {
      isMeant = names.includes(section.replaceAll(/\s+/g, " ").replaceAll(/["']/g, ""));
    }
    const region = isMeant ? /^region\s*=\s*([a-z0-9-]+)\s*$/.exec(line)?.[1] : undefined;
    if (region !== undefined) return region;
  }
  return undefined;
}

/** Undefined for a file that is not there or cannot be read: then nobody has named a region in it. */
function readSmall(path: string): string | undefined {
  try {
    return Deno.statSync(path).size > FILE_BYTES_MAX ? undefined : Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
