/** Maven and Gradle, by the wrapper that the project brings. */
import { join } from "@/lib/path.ts";
import type { Ecosystem } from "@/verify/ecosystem.ts";
import type { ProjectDir } from "@/verify/project_dir.ts";
import { JVM } from "./suffixes.ts";

export const maven: Ecosystem = {
  suffixes: JVM,
  rows: [{ declared: "pom.xml", runs: "mvn -q -B test, or the project's mvnw" }],
  async declared(dir) {
    if (!await dir.has("pom.xml")) return undefined;
    return {
      name: "mvn test",
      root: dir.path,
      program: await wrapper(dir, "mvnw") ?? "mvn",
      args: ["-q", "-B", "test"],
      unable:
        /(Could not (transfer|find) artifact|Could not resolve dependencies|could not be resolved: |has not been downloaded from it before|UnknownHostException)/,
    };
  },
};

export const gradle: Ecosystem = {
  suffixes: JVM,
  rows: [{
    declared: "build.gradle, build.gradle.kts",
    runs: "gradle test, or the project's gradlew",
  }],
  async declared(dir) {
    if (await dir.first(["build.gradle", "build.gradle.kts"]) === undefined) return undefined;
    return {
      name: "gradle test",
      root: dir.path,
      program: await wrapper(dir, "gradlew") ?? "gradle",
      // A daemon would outlive the check. Not -q, which leaves out which tests failed.
      args: ["--no-daemon", "--console=plain", "test"],
      unable:
        /(Task 'test' not found|Could not (resolve all|download|GET ')|UnknownHostException|Plugin \[id: .*\] was not found)/,
    };
  },
};

async function wrapper(dir: ProjectDir, name: string): Promise<string | undefined> {
  const file = Deno.build.os === "windows" ? (name === "mvnw" ? "mvnw.cmd" : "gradlew.bat") : name;
  const found = await dir.nearest([file]);
  return found === undefined ? undefined : join(found.dir.path, file);
}
