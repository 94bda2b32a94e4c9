/** Where a file stands in the project, as the rules see it. */
import { fileURLToPath } from "node:url";

/** Parts of the project that have rules of their own. `other`: files outside, and test data. */
export type Area = "src" | "main" | "tests" | "tasks" | "bench" | "other";

/** `path` is relative to the project, with forward slashes: "src/policy/rule.ts". */
export type Place = { area: Area; path: string };

const AREAS: readonly Area[] = ["src", "tests", "tasks", "bench"];

/** Finds the project's own path in an absolute one, however deep the checkout lies. */
export function placeOf(filename: string): Place {
  const path = projectPath(filename.replaceAll("\\", "/"));
  if (path === "main.ts") return { area: "main", path };
  if (path.startsWith("tests/testdata/")) return { area: "other", path };
  const area = AREAS.find((name) => path.startsWith(`${name}/`));
  return { area: area ?? "other", path };
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url)).replaceAll("\\", "/");

function projectPath(filename: string): string {
  return filename.startsWith(ROOT) ? filename.slice(ROOT.length) : filename;
}
