/** Fills the shell scripts that start the program in: those of the single file and of the npm package share how. */
import { OURS, SET_ASIDE, SET_ASIDE_PREFIX } from "@/sandbox/person_env.ts";
import { RUN_FLAGS } from "./flags.ts";
import start from "./start.sh" with { type: "text" };

const COMMON: Readonly<Record<string, string>> = {
  SET_ASIDE: SET_ASIDE.join(" "),
  PREFIX: SET_ASIDE_PREFIX,
  OURS: Object.entries(OURS).map(([name, value]) => `${name}=${value}`).join(" "),
  FLAGS: RUN_FLAGS.join(" "),
};

/**
 * A template with its `@NAME@` replaced, and the line `@START@` by the functions of start.sh. Throws when a name has no value,
 * and when one holds what a shell would take for more than text.
 */
export function shellScript(
  template: string,
  facts: Readonly<Record<string, string>> = {},
): string {
  const values = { ...COMMON, ...facts };
  return template.replace("@START@\n", () => start).replaceAll(
    /@([A-Z_]+)@/g,
    (_, name: string) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined || !/^[\w.,+= -]+$/.test(value)) {
        throw new Error(`A script of a start has nothing that can stand for @${name}@: ${value}`);
      }
      return value;
    },
  );
}
