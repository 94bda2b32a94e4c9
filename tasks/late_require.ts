/** Takes Node's layer out of the start of what `deno bundle` wrote. */

const AT_ONCE =
  /import\{createRequire as (\w+)\} from "node:module";var ([\w$]+)=\1\(import\.meta\.url\);/g;

/**
 * A bundled file whose `require`, for packages that are no ES modules, is made when it is first called. Deno 2.9.6 makes it in the
 * chunk that every other one imports, so that each start loads Node's layer, which costs as much as Deno itself (20 ms of CPU
 * and 11 MB), for the two libraries that call it. Throws where it is made in another form.
 */
export function lateRequire(code: string): string {
  const late = code.replaceAll(
    AT_ONCE,
    (_, __, name: string) =>
      `var ${name}=(name)=>process.getBuiltinModule("node:module").createRequire(import.meta.url)(name);`,
  );
  if (/import\s*\{\s*createRequire[^}]*\}\s*from\s*"node:module"/.test(late)) {
    throw new Error("deno bundle makes its require in a form that is not known here");
  }
  return late;
}
