/** PHP: the test script of Composer, else PHPUnit where it is configured. */
import { isObject } from "@/lib/json.ts";
import { join } from "@/lib/path.ts";
import type { Ecosystem } from "@/verify/ecosystem.ts";

/** The dependencies are not installed. */
const UNABLE = /(?<why>(?:Failed opening required|Cannot open) .*vendor\/autoload\.php['"])/i;

export const php: Ecosystem = {
  suffixes: [".php"],
  rows: [
    { declared: "composer.json with a test script", runs: "composer run-script test" },
    { declared: "phpunit.xml, phpunit.xml.dist", runs: "vendor/bin/phpunit" },
  ],
  async declared(dir) {
    const manifest = await dir.json("composer.json");
    const scripts = isObject(manifest?.["scripts"]) ? manifest["scripts"] : {};
    if (scripts["test"] !== undefined) {
      const args = ["--no-interaction", "run-script", "test"];
      return { name: "composer test", root: dir.path, program: "composer", args, unable: UNABLE };
    }
    if (await dir.first(["phpunit.xml", "phpunit.xml.dist"]) === undefined) return undefined;
    const isOwn = await dir.has("vendor/bin/phpunit");
    const program = isOwn ? join(dir.path, "vendor", "bin", "phpunit") : "phpunit";
    return { name: "phpunit", root: dir.path, program, args: ["--colors=never"], unable: UNABLE };
  },
};
