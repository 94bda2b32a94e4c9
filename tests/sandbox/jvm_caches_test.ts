import { deepStrictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { jvmCaches } from "@/sandbox/jvm_caches.ts";
import { needing, withSandbox } from "../support/sandbox.ts";
import { withWorkspace } from "../support/workspace.ts";

async function make(home: string, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await Deno.mkdir(join(home, path, ".."), { recursive: true });
    if (path.endsWith("/")) await Deno.mkdir(join(home, path), { recursive: true });
    else await Deno.writeTextFile(join(home, path), path);
  }
}

const DIST = "wrapper/dists/gradle-8.5-bin/a1b2";
const GRADLE = [
  `.gradle/${DIST}/gradle-8.5/bin/gradle`,
  `.gradle/${DIST}/gradle-8.5-bin.zip.ok`,
  `.gradle/${DIST}/gradle-8.5-bin.zip.lck`,
  `.gradle/wrapper/dists/gradle-9-bin/c3d4/gradle-9-bin.zip.part`,
  ".gradle/caches/modules-2/files-2.1/x",
  ".gradle/gradle.properties",
];

Deno.test("jvmCaches() says nothing of what nobody has", async () => {
  await withWorkspace((home) => {
    const { dirs, env } = jvmCaches({ home, isWritable: () => false, env: {} });
    equal([dirs, env({ MAVEN_OPTS: "-Xmx1g" })], [[], {}]);
    return Promise.resolve();
  });
});

Deno.test("jvmCaches() shows Gradles, their marks and dependencies, and nothing that holds a password", async () => {
  await withWorkspace(async (home) => {
    await make(home, ...GRADLE, ".m2/repository/");
    const { dirs, env } = jvmCaches({
      home,
      isWritable: () => false,
      env: { MAVEN_OPTS: "-Dproxy=https://me:password@proxy.example" },
    });
    equal(
      dirs.map(({ at, from }) => [at, from].map((path) => path.slice(home.length + 1))).sort(),
      [
        [".cache/gradle-read-only/modules-2", ".gradle/caches/modules-2"],
        [`.gradle/${DIST}/gradle-8.5`, `.gradle/${DIST}/gradle-8.5`],
        [`.gradle/${DIST}/gradle-8.5-bin.zip.ok`, `.gradle/${DIST}/gradle-8.5-bin.zip.ok`],
      ],
    );
    equal(env({})["MAVEN_OPTS"], "-Daether.enhancedLocalRepository.trackingFilename=none");
    equal(env({ MAVEN_OPTS: "-Xmx1g" }), {
      GRADLE_USER_HOME: join(home, ".gradle"),
      GRADLE_RO_DEP_CACHE: join(home, ".cache/gradle-read-only"),
      MAVEN_OPTS: "-Xmx1g -Daether.enhancedLocalRepository.trackingFilename=none",
    });
  });
});

Deno.test("jvmCaches() brings a Gradle home from elsewhere to its usual place", async () => {
  await withWorkspace(async (dir) => {
    const [home, theirs] = [join(dir, "home"), join(dir, "data/.gradle")];
    await make(join(dir, "data"), ...GRADLE);
    const { dirs, env } = jvmCaches({
      home,
      isWritable: () => false,
      env: { GRADLE_USER_HOME: theirs },
    });
    const program = dirs.find(({ from }) => from === join(theirs, DIST, "gradle-8.5"));
    equal(program?.at, join(home, ".gradle", DIST, "gradle-8.5"));
    equal(env({})["GRADLE_USER_HOME"], join(home, ".gradle"));
    const within = (path: string) => path === theirs;
    equal(jvmCaches({ home, isWritable: within, env: { GRADLE_USER_HOME: theirs } }).env({}), {});
  });
});

Deno.test({
  name: "inside, what Gradle has fetched is there beside what it may write",
  ...await needing("bwrap"),
  fn: () =>
    withSandbox(async ({ run, home }) => {
      const lines = [
        `cat .gradle/${DIST}/gradle-8.5/bin/gradle && touch .gradle/${DIST}/gradle-8.5-bin.zip.lck`,
        `! touch .gradle/${DIST}/gradle-8.5/bin/gradle 2>/dev/null`,
        "mkdir -p .gradle/caches/modules-2 && ! ls .gradle/gradle.properties 2>/dev/null",
        "cat $GRADLE_RO_DEP_CACHE/modules-2/files-2.1/x && ! touch $GRADLE_RO_DEP_CACHE/modules-2/y 2>/dev/null",
      ];
      const { code, output } = await run(`cd "${home}" && ${lines.join(" && ")}`);
      equal(code, 0, output);
    }, { prepare: ({ home }) => make(home, ...GRADLE) }),
});
