import { deepStrictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import type { FeatureParts } from "@/compose/feature.ts";
import { ruleNames } from "@/features/rule_names.ts";
import { Policy } from "@/policy/policy.ts";
import { Trust } from "@/policy/trust.ts";
import type { Event } from "@/protocol/event.ts";
import { shared } from "../support/features.ts";
import { withWorkspace } from "../support/workspace.ts";

Deno.test("a rule that refuses calls of no tool is told before the first request, once", () =>
  withWorkspace(async (project) => {
    const rules = {
      allow: ["wirte_file"],
      ask: ["run_comand(git push *)"],
      deny: ["raed_file(x)", "read_file(y)", "skill", "mcp__a__b", "*", "unsandboxed(git push)"],
    };
    await Deno.writeTextFile(join(project, ".permissions.json"), JSON.stringify(rules));
    const policy = await Policy.load({
      personalFile: join(project, "none.json"),
      project,
      trust: await Trust.load(join(project, "trust.json")),
      place: () => ({ workspace: project }),
      flags: { allow: [], deny: ["raed_file(x)"] },
    });
    const events: Event[] = [];
    const live = { emit: (event: Event) => void events.push(event) };
    const feature = ruleNames({ live } as unknown as Pick<FeatureParts, "live">);
    const work = await feature.work?.({ ...shared(), policy });
    equal(events.length, 0);
    work?.begin?.();
    const nothing = "now, so that it does nothing";
    equal(events.map((event) => event.type === "notice" ? event.text : event.type), [
      `deny rule "raed_file(x)" (--deny): No tool is named "raed_file" ${nothing}; did you mean "read_file"?`,
      `ask rule "run_comand(git push *)" (.permissions.json): No tool is named "run_comand" ${nothing}; did you mean "run_command"?`,
      `deny rule "raed_file(x)" (.permissions.json): No tool is named "raed_file" ${nothing}; did you mean "read_file"?`,
    ]);
  }));
