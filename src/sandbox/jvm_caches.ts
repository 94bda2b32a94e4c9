/**
 * How Maven and Gradle work with what they have downloaded before, in a sandbox that shows it read-only and without the
 * files that say where it came from (`settings.xml` and `gradle.properties` hold passwords).
 */
import { isDirectory, namesIn, realPath } from "@/sandbox/look.ts";
import { join } from "@/lib/path.ts";

type Env = Readonly<Record<string, string>>;

/** Places to show, where commands find them, and the variables that tell the two of them, beside a command's `own`. */
export type JvmCaches = {
  dirs: readonly { at: string; from: string }[];
  env(own: Env): Env;
};

/** What to look at: `home` as commands see it, the environment of the person, and whether commands may write somewhere. */
export type JvmOptions = {
  home: string;
  env: Env;
  isWritable(path: string): boolean;
};

/** Where Gradle (6.1 and later) finds dependencies that it may not write beside. */
const READ_ONLY = ".cache/gradle-read-only";

/**
 * Maven takes what it has from a mirror for not there when that mirror is not in its settings, unless it cannot tell where
 * it is from (tried with 3.8: "has not been downloaded from it before").
 */
const FROM_ANYWHERE = "-Daether.enhancedLocalRepository.trackingFilename=none";

/** Find them. Reads directories only; what nobody has is not spoken of. */
export function jvmCaches({ home, env, isWritable }: JvmOptions): JvmCaches {
  const theirs = env["GRADLE_USER_HOME"] ?? join(home, ".gradle");
  const gradle = isWritable(theirs) ? { dirs: [], env: {} } : gradleCaches(home, theirs);
  const hasMaven = isDirectory(join(home, ".m2", "repository"));
  return {
    dirs: gradle.dirs,
    // Added to what the command is given: the person's own options may hold a password, and are not given then.
    env: ({ MAVEN_OPTS = "" }) => ({
      ...gradle.env,
      ...(hasMaven && { MAVEN_OPTS: `${MAVEN_OPTS} ${FROM_ANYWHERE}`.trim() }),
    }),
  };
}

/** Gradle locks and writes beside everything that it reads, so its home stays the private one, with parts of theirs in it. */
function gradleCaches(home: string, theirs: string): Pick<JvmCaches, "dirs"> & { env: Env } {
  if (!isDirectory(theirs)) return { dirs: [], env: {} };
  const own = join(home, ".gradle");
  const dependencies = join(theirs, "caches", "modules-2");
  const shared = join(home, READ_ONLY);
  const dirs = [
    ...[...wrapperParts(theirs), "jdks"].map((name) => ({
      at: join(own, name),
      from: join(theirs, name),
    })),
    { at: join(shared, "modules-2"), from: dependencies },
  ].flatMap(({ at, from }) => {
    const real = realPath(from);
    return real === undefined ? [] : [{ at, from: real }];
  });
  const hasAny = isDirectory(dependencies);
  return {
    dirs,
    // Java asks the password file for the home directory, which may be another one than `HOME`.
    env: { GRADLE_USER_HOME: own, ...(hasAny ? { GRADLE_RO_DEP_CACHE: shared } : {}) },
  };
}

/** Gradles that a wrapper has fetched, `<name>/<hash>/<version>`, each with the file that says it is whole. */
function wrapperParts(theirs: string): string[] {
  const dists = join("wrapper", "dists");
  const parts: string[] = [];
  for (const name of namesIn(join(theirs, dists))) {
    for (const hash of namesIn(join(theirs, dists, name))) {
      const inner = namesIn(join(theirs, dists, name, hash));
      const needed = inner.filter((part) =>
        part.startsWith("gradle-") && !/\.(zip|lck|part)$/.test(part)
      );
      parts.push(...needed.map((part) => join(dists, name, hash, part)));
    }
  }
  return parts;
}
