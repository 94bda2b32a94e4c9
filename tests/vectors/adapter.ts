/** What stands between a component's vectors and the real functions. */
import { adapters as channel } from "./channel.ts";
import { adapters as context } from "./context.ts";
import { adapters as git } from "./git.ts";
import { adapters as deepthink } from "./deepthink.ts";
import { adapters as hashline } from "./hashline.ts";
import { adapters as mcp } from "./mcp.ts";
import { adapters as notes } from "./notes.ts";
import { adapters as permissions } from "./permissions.ts";
import { adapters as providers } from "./providers.ts";
import { adapters as search } from "./search.ts";
import { adapters as sessions } from "./sessions.ts";
import { adapters as settings } from "./settings.ts";
import { adapters as shell } from "./shell.ts";
import { adapters as subagent } from "./subagent.ts";
import { adapters as toolText } from "./tool_text.ts";
import { adapters as tools } from "./tools.ts";
import { adapters as usage } from "./usage.ts";
import { adapters as verify } from "./verify.ts";
import { adapters as vm } from "./vm.ts";

/**
 * Turns a vector's input into calls of the real functions and their results into the vector's shape. May be async. What
 * it throws fails the vector. `undefined` says that this kind of input is not implemented: the vector is skipped.
 *
 * `expected` has the vector's keys, so that an adapter sees what is asked about, but not their values: no expectation
 * can be met by handing it back.
 */
export type Adapter = (
  input: unknown,
  vector: { id: string; expected: Readonly<Record<string, undefined>> },
) => unknown;

/** Component → adapter. */
export type Adapters = Readonly<Record<string, Adapter>>;

/** A file of adapters each. A component stands in one of them. */
const FILES: readonly Adapters[] = [
  channel,
  context,
  git,
  deepthink,
  hashline,
  mcp,
  notes,
  permissions,
  providers,
  search,
  sessions,
  settings,
  shell,
  subagent,
  toolText,
  tools,
  usage,
  verify,
  vm,
];

/** All adapters. Throws when a component has two. */
export function allAdapters(files = FILES): Adapters {
  const all: Record<string, Adapter> = {};
  for (const [component, adapter] of files.flatMap((file) => Object.entries(file))) {
    if (all[component]) throw new Error(`Two adapters for "${component}"`);
    all[component] = adapter;
  }
  return all;
}
