import { deepStrictEqual as assertEquals, equal, match } from "node:assert";
import { join } from "node:path";
import { Policy } from "@/policy/policy.ts";
import { readPolicyToml } from "@/policy/policy_toml.ts";
import { Trust } from "@/policy/trust.ts";
import type { GuardedCall } from "@/protocol/policy.ts";
import { commandCall, pathCall } from "../support/guarded_call.ts";
import { withWorkspace } from "../support/workspace.ts";

type Files = { toml: string; personal?: string; allow?: readonly string[] };

async function withProfile(
  { toml, personal, allow = [] }: Files,
  body: (policy: Policy, project: string) => Promise<void> | void,
): Promise<void> {
  await withWorkspace(async (project) => {
    const personalFile = join(project, "personal.json");
    if (personal !== undefined) await Deno.writeTextFile(personalFile, personal);
    const policy = await Policy.load({
      personalFile,
      project,
      trust: await Trust.load(join(project, "trust.json")),
      place: () => ({ workspace: project }),
      flags: { allow },
      profile: readPolicyToml(toml, "sup/policy.toml"),
    });
    await body(policy, project);
  });
}

function verdictOf(policy: Policy, call: GuardedCall): string | undefined {
  return (policy.denied(call) ?? policy.asked(call) ?? policy.allowed(call))?.verdict;
}

Deno.test("a profile's rules are in force beside the others, which can only be stricter", async () => {
  const toml =
    `[[rules]]\ncommand = "git *"\nthen = "allow"\n[[rules]]\ntools = "run_cmd"\nthen = "deny"`;
  const files = { toml, personal: `{"deny": ["run_cmd(git push *)"]}`, allow: ["run_cmd(ls)"] };
  await withProfile(files, (policy) => {
    equal(verdictOf(policy, commandCall("git log")), "allow");
    equal(verdictOf(policy, commandCall("git push origin")), "deny");
    equal(verdictOf(policy, commandCall("ls")), "deny");
    assertEquals(policy.rulesInForce().map(({ text, verdict, from }) => [text, verdict, from]), [
      ["run_cmd(ls)", "allow", "--allow"],
      ["run_cmd(git push *)", "deny", policy.rulesInForce()[1]?.from],
      ["*(git *)", "allow", "sup/policy.toml:1"],
      ["run_cmd", "deny", "sup/policy.toml:4"],
    ]);
  });
});

Deno.test("a default of deny refuses what nothing else speaks about", async () => {
  const toml =
    `default = "deny"\n[[rules]]\npaths = "notes/**"\nthen = "allow"\n[[rules]]\ntools = "copy_file"\nthen = "ask"`;
  await withProfile({ toml, allow: ["run_cmd(ls)"] }, (policy, project) => {
    equal(verdictOf(policy, pathCall("write_file", [join(project, "notes/a")])), "allow");
    equal(verdictOf(policy, pathCall("write_file", [join(project, "src/a")])), "deny");
    equal(verdictOf(policy, pathCall("copy_file", [join(project, "src/a")])), "ask");
    equal(verdictOf(policy, commandCall("ls")), "allow");
    const { reason = "" } = policy.denied(commandCall("rm x")) ?? {};
    match(reason, /no rule speaks about it, and the default there is deny \(sup\/policy.toml:1\)/);
  });
});

Deno.test("a default of ask asks, and an always then counts", async () => {
  await withProfile({ toml: `default = "ask"` }, async (policy, project) => {
    const read = pathCall("read_file", [join(project, "a")], { effect: "reads" });
    equal(policy.denied(read), undefined);
    equal(policy.allowed(read)?.verdict, "ask");
    const [reach] = policy.reachesOf(read);
    equal(reach === undefined, false);
    if (reach !== undefined) await policy.remember({ answer: "always", reach, scope: "run" });
    equal(policy.allowed(read)?.verdict, "allow");
  });
});

Deno.test("a default of allow waits for a personal file that is understood", async () => {
  const call = commandCall("make");
  await withProfile({ toml: `default = "allow"` }, (policy) => {
    equal(verdictOf(policy, call), "allow");
    equal(policy.rulesInForce().at(-1)?.text, "whatever no rule speaks about");
  });
  const toml = `default = "allow"\n[[rules]]\ncommand = "make"\nthen = "allow"`;
  await withProfile({ toml, personal: `{"deny": [` }, (policy) => {
    equal(policy.allowed(call), undefined);
    match(policy.rulesInForce()[0]?.idle ?? "", /not understood whole/);
  });
});

Deno.test("with PERMISSIONS_ENABLED off a profile says nothing either", async () => {
  await withWorkspace(async (project) => {
    const policy = await Policy.load({
      personalFile: join(project, "none.json"),
      project,
      trust: await Trust.load(join(project, "trust.json")),
      place: () => ({ workspace: project }),
      isEnabled: () => false,
      profile: readPolicyToml(`default = "deny"`, "p"),
    });
    equal(verdictOf(policy, commandCall("ls")), undefined);
  });
});
