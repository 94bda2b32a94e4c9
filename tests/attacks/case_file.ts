/** A file of attacks: calls, texts, typed lines and starts that must do no harm. The format is told in README.md here. */
import { z } from "zod";

const callSchema = z.object({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
});
export type Call = z.infer<typeof callSchema>;

const fileSchema = z.union([
  z.string(),
  z.object({ text: z.string(), mode: z.string().optional() }),
]);

const rulesSchema = z.object({
  allow: z.array(z.string()).default([]),
  deny: z.array(z.string()).default([]),
});

const routeSchema = z.object({
  status: z.number().default(200),
  location: z.string().optional(),
  body: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  gzip_bomb_mb: z.number().optional(),
});
/** What the server at the public address answers for a path. */
export type Route = z.infer<typeof routeSchema>;

const serversSchema = z.record(z.string(), z.record(z.string(), z.unknown()));

const setupSchema = z.looseObject({
  mcp: serversSchema.optional(),
  project_mcp: serversSchema.optional(),
  files: z.record(z.string(), fileSchema).optional(),
  symlinks: z.record(z.string(), z.string()).optional(),
  hardlinks: z.record(z.string(), z.string()).optional(),
  dirs: z.array(z.string()).optional(),
  fifos: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  git: z.boolean().optional(),
  rules: rulesSchema.optional(),
  project_rules: rulesSchema.optional(),
  unix_listeners: z.array(z.string()).optional(),
  state_faults: z.array(z.string()).optional(),
  break: z.string().optional(),
  race: z.object({ swap: z.string(), with_link_to: z.string() }).optional(),
  network_allow: z.array(z.string()).optional(),
  auto_verify: z.boolean().optional(),
  dns: z.record(z.string(), z.array(z.string())).optional(),
  routes: z.record(z.string(), routeSchema).optional(),
  after: callSchema.optional(),
});
export type Setup = z.infer<typeof setupSchema>;

const checkSchema = z.looseObject({ check: z.string() });
export type Check = z.infer<typeof checkSchema>;

const caseSchema = z.object({
  id: z.string().min(1),
  component: z.string().min(1),
  title: z.string().default(""),
  needs: z.array(z.string()).default([]),
  mode: z.object({
    sandbox: z.enum(["on", "absent"]).default("absent"),
    automode: z.boolean().default(false),
    tty: z.boolean().default(true),
    trusted: z.boolean().default(true),
  }),
  setup: setupSchema.default({}),
  input: z.record(z.string(), z.unknown()),
  must_not: z.array(checkSchema).default([]),
  must: z.array(checkSchema).default([]),
});
export type Attack = z.infer<typeof caseSchema>;

/** Reads a file of attacks. Throws an error that names the file and what is wrong with it. */
export async function readAttacks(path: string): Promise<Attack[]> {
  let json: unknown;
  try {
    json = JSON.parse(await Deno.readTextFile(path));
  } catch (error) {
    throw new Error(`Cannot read "${path}": ${error instanceof Error ? error.message : error}`);
  }
  const read = z.object({ cases: z.array(caseSchema) }).safeParse(json);
  if (!read.success) {
    throw new Error(`"${path}" is not a file of attacks:\n${z.prettifyError(read.error)}`);
  }
  return read.data.cases;
}

/** Whether an attack needs public addresses or names of its own. */
export function needsNetwork({ setup }: Attack): boolean {
  return setup.dns !== undefined || setup.routes !== undefined;
}

/** One thing that happens in an attack, in order. */
export type Step =
  | { kind: "call"; call: Call; isSetup: boolean }
  /** A call that a sub-agent makes, which the call before it has hired. */
  | { kind: "agent_call"; call: Call }
  | { kind: "calls"; call: Call; times: number }
  | { kind: "say"; text: string }
  | { kind: "user"; line: string; shows?: string }
  | { kind: "start"; args: string }
  | { kind: "answer"; text: string }
  | { kind: "keys_before"; text: string }
  | { kind: "edit"; path: string; servers: z.infer<typeof serversSchema> }
  | { kind: "cannot"; why: string };

/** What the input of an attack asks for; what is not understood is a step that cannot be done. */
export function stepsOf({ input, setup }: Attack): Step[] {
  const { sequence, ...own } = input;
  const first = Object.keys(own).length > 0 ? stepsIn(own) : [];
  const listed: unknown[] = Array.isArray(sequence) ? sequence : [];
  // What a server lets itself be approved for, before it changes, is no attack yet.
  const change = listed.findIndex((one) => one instanceof Object && "server_event" in one);
  const rest = listed.flatMap((one, at) =>
    stepsIn(one).map((step) =>
      step.kind === "call" && at < change ? { ...step, isSetup: true } : step
    )
  );
  const after = setup.after === undefined
    ? []
    : [{ kind: "call", call: setup.after, isSetup: true } as const];
  return [...first, ...rest, ...after];
}

function stepsIn(value: unknown): Step[] {
  const read = z.record(z.string(), z.unknown()).safeParse(value);
  if (!read.success) return [{ kind: "cannot", why: "a step that is no object" }];
  return Object.entries(read.data).flatMap(([key, part]): Step[] => {
    const text = typeof part === "string" ? part : "";
    switch (key) {
      case "tool":
        return hiring(asCall(read.data), read.data["subagent_calls"]);
      case "arguments":
      case "subagent_calls":
      case "protocol":
      case "call":
        return [];
      case "repeat":
        return asCall(read.data["call"]).map((step) =>
          step.kind === "call" ? { kind: "calls", call: step.call, times: Number(part) } : step
        );
      case "then":
        return stepsIn(part);
      case "start":
        return [{ kind: "start", args: text.replace(/^harness\s*/, "") }];
      case "user":
        return [{ kind: "user", line: text }];
      case "model_text":
        return [{ kind: "say", text }];
      case "answer":
        return [{ kind: "answer", text }];
      case "answers":
        return (Array.isArray(part) ? part : []).map((one) => ({ kind: "answer", text: `${one}` }));
      case "keys_before":
        return [{ kind: "keys_before", text }];
      case "mcp_call":
        return attachedFirst({ kind: "call", call: { tool: text, arguments: {} }, isSetup: false });
      case "list_tools":
        return attachedFirst({ kind: "say", text: "These are my tools." });
      case "server_event":
        // The scripted server sends it with its first answer.
        return [];
      case "edit":
        return asEdit(read.data);
      case "set":
        return [];
      default:
        return [{ kind: "cannot", why: `the step "${key}" is not known here` }];
    }
  });
}

/** A call that hires somebody only leads to the attack, which is what that one calls. */
function hiring(steps: Step[], calls: unknown): Step[] {
  const made = Array.isArray(calls) ? calls.flatMap((call) => asCall(call)) : [];
  if (made.length === 0) return steps;
  return [
    ...steps.map((step) => step.kind === "call" ? { ...step, isSetup: true } : step),
    ...made.map((step): Step =>
      step.kind === "call" ? { kind: "agent_call", call: step.call } : step
    ),
  ];
}

/** In a terminal nothing waits for servers; this command does. */
function attachedFirst(step: Step): Step[] {
  return [{ kind: "user", line: "/mcp", shows: ", from " }, { kind: "user", line: "Go on." }, step];
}

function asEdit(value: unknown): Step[] {
  const read = z.object({ edit: z.string(), set: serversSchema }).safeParse(value);
  return read.success
    ? [{ kind: "edit", path: read.data.edit, servers: read.data.set }]
    : [{ kind: "cannot", why: "an edit of something else than servers" }];
}

function asCall(value: unknown): Step[] {
  const read = callSchema.safeParse(value);
  return read.success
    ? [{ kind: "call", call: read.data, isSetup: false }]
    : [{ kind: "cannot", why: "a call without a tool" }];
}
