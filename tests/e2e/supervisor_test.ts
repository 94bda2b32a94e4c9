/** The supervisor in the real program: it writes in its home alone, and whom it hires works as a coder. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { harness } from "../support/program.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { sent, withDesk } from "../support/whole_app.ts";

const isAgent = (body: unknown) => sent(body).system.startsWith("You were hired");
const write = (filepath: string) => ({
  name: "write_file",
  arguments: { filepath, content: "one\n" },
});
const HOME = { name: "create_dir", arguments: { dirpath: "~/supervisor" } };
const HIRE = { name: "spawn_agent", arguments: { task: "Write b.txt." } };

/** It tries by itself, keeps a note, and hires; the agent writes what it is told, and what it is not. */
function script() {
  const boss: ScriptedReply[] = [
    { calls: [write("a.txt"), HOME, write("~/supervisor/note.md"), HIRE] },
    { text: "Done." },
  ];
  const agent: ScriptedReply[] = [
    { calls: [write("b.txt"), write("secret.txt")] },
    { text: "b.txt is written." },
  ];
  return (body: unknown): ScriptedReply =>
    (isAgent(body) ? agent : boss).shift() ?? { text: "There is nothing more." };
}

Deno.test("the supervisor writes at home alone; its agents by the rules of the person, without its own", () =>
  withDesk(script(), async ({ dir, home, api: { url, bodies } }) => {
    const person = join(dir, "..", "person");
    await Deno.mkdir(person);
    const ran = await harness([
      ...["-m", "ollama/m", "--profile", "supervisor", "--output", "json"],
      ...["--allow", "write_file", "--deny", "write_file(secret.txt)", "-p", "go"],
    ], { cwd: dir, home, env: { OLLAMA_HOST: url, HOME: person } });
    const { answer, calls } = JSON.parse(ran.stdout);
    equal(answer, "Done.", ran.stderr);
    equal(
      calls.map((one: Record<string, string>) => [one.name, one.verdict, one.by]),
      [
        ["write_file", "deny", "rule"],
        ["create_dir", "allow", "rule"],
        ["write_file", "allow", "rule"],
        ["spawn_agent", "allow", "rule"],
      ],
    );
    equal([...Deno.readDirSync(dir)].map(({ name }) => name), ["b.txt"]);
    equal(Deno.readTextFileSync(join(person, "supervisor/note.md")), "one\n");
    const asked = bodies.filter((body) => JSON.stringify(body).includes('"messages"'));
    const agent = asked.filter(isAgent);
    const boss = asked.filter((body) => !isAgent(body));
    match(sent(boss[0]).system, /You supervise/);
    equal(agent.some((body) => /You supervise/.test(sent(body).system)), false);
    // It has the tools of a coder, and the person's deny rule.
    equal([agent[0], boss[0]].map((body) => JSON.stringify(body).includes('"copy_file"')), [
      true,
      false,
    ]);
    match(JSON.stringify(agent[1]), /secret\.txt\)\\" \(--deny\) denies this path/);
  }));
