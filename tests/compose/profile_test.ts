import { deepStrictEqual as equal, match, rejects } from "node:assert/strict";
import { join } from "node:path";
import { FeatureWorks } from "@/compose/feature_work.ts";
import type { Place } from "@/compose/place.ts";
import { CODER, loadProfile, toolChoice } from "@/compose/profile.ts";
import { PersonError } from "@/protocol/error.ts";
import { shared } from "../support/features.ts";
import { TOOLS } from "../support/loop.ts";
import { withWorkspace } from "../support/workspace.ts";

type Files = Readonly<Record<string, string>>;

async function withProfile(
  files: Files,
  body: (place: Place, directory: string) => Promise<void>,
): Promise<void> {
  await withWorkspace(async (root) => {
    const directory = join(root, "sup");
    const workspace = join(root, "ws");
    for (const dir of [directory, workspace]) await Deno.mkdir(dir);
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(join(directory, name), text);
    }
    // Only these two are read.
    await body({ workspace, stoodIn: root } as unknown as Place, directory);
  });
}

async function fault(files: Files, says: RegExp): Promise<void> {
  await withProfile(files, async (place) => {
    await rejects(loadProfile({ profile: "sup" }, place), (error) => {
      match(error instanceof PersonError ? error.message : "", says);
      return true;
    });
  });
}

const ALLOWS = `[[rules]]\ntools = "run_cmd"\nthen = "allow"\n`;

Deno.test("a profile is what its directory says", async () => {
  const files = {
    "profile.md":
      "---\nname: sup\nmodel: ollama/m\ntools: [read_file, git_*]\n---\n\nYou watch over others.\n",
    "policy.toml": ALLOWS,
  };
  await withProfile(files, async (place, directory) => {
    const { rules, ...said } = await loadProfile({ profile: "sup" }, place);
    equal(said, {
      name: "sup",
      directory,
      prompt: "You watch over others.",
      model: "ollama/m",
      tools: ["read_file", "git_*"],
    });
    equal(rules?.entries[0]?.[0]?.origin.label, `${join(directory, "policy.toml")}:1`);
    equal(await loadProfile({}, place), CODER);
  });
});

Deno.test("each file of a profile may be missing, not both", async () => {
  await withProfile({ "policy.toml": "" }, async (place) => {
    const { name, prompt } = await loadProfile({ profile: "sup" }, place);
    equal([name, prompt], ["sup", ""]);
  });
  await withProfile({ "profile.md": "Only a prompt." }, async (place) => {
    const { rules, prompt } = await loadProfile({ profile: "sup" }, place);
    equal([rules, prompt], [undefined, "Only a prompt."]);
    await rejects(loadProfile({ profile: "nowhere" }, place), /is not a directory/);
  });
  await fault({}, /holds no profile.md, policy.toml or mcp.toml/);
  const mcp = { "mcp.toml": `[[servers]]\nname = "files"\ncommand = "server"\nargs = ["a"]\n` };
  await withProfile(mcp, async (place, directory) => {
    const read = await loadProfile({ profile: "sup" }, place);
    equal(read.mcp, {
      label: join(directory, "mcp.toml"),
      text: `{"mcpServers":{"files":{"command":"server","args":["a"]}}}`,
    });
    const inside = { ...place, workspace: place.stoodIn };
    await rejects(loadProfile({ profile: "sup" }, inside), /its mcp.toml starts programs/);
  });
});

Deno.test("a slip in a profile is an error with file and line", async () => {
  await fault({ "profile.md": "---\nname: a\nmodell: b\n---\n" }, /profile\.md:3: .*"model" was/);
  await fault({ "profile.md": "---\nname: a\nno end\n" }, /profile\.md:1: the head has no end/);
  await fault({ "profile.md": "---\nname:\n---\n" }, /profile\.md:2: "name" is one text/);
  await fault(
    { "profile.md": "---\ntools: read_file, wirte_file\n---\n" },
    /profile\.md:2: no tool is named "wirte_file"; "write_file" was probably meant/,
  );
  await fault({ "policy.toml": `\ndefualt = "ask"` }, /policy\.toml:2: "defualt" means nothing/);
});

Deno.test("a profile in the project allows nothing before the person trusts it", async () => {
  await withProfile({ "policy.toml": ALLOWS }, async (place, directory) => {
    const inside = { ...place, workspace: place.stoodIn };
    await rejects(loadProfile({ profile: "sup" }, inside), /lies in the project/);
    await rejects(
      loadProfile({ profile: "sup", addDir: [directory] }, place),
      /lies in the project/,
    );
    const trusted = await loadProfile({ profile: "sup", trust: true }, inside);
    equal(trusted.rules?.entries.length, 1);
    await Deno.writeTextFile(join(directory, "policy.toml"), ALLOWS.replace("allow", "deny"));
    const denying = await loadProfile({ profile: "sup" }, inside);
    equal(denying.rules?.entries.length, 1);
    await Deno.writeTextFile(join(directory, "policy.toml"), `default = "allow"`);
    await rejects(loadProfile({ profile: "sup" }, inside), /lies in the project/);
  });
});

Deno.test("a tools: line leaves out what it does not name, and nothing of the harness's", async () => {
  const [first, second, third] = TOOLS;
  if (first === undefined || second === undefined || third === undefined) throw new Error("few");
  const choice = await toolChoice({ name: "p", prompt: "", tools: [first.name] });
  const features = [
    { name: "a", work: () => ({ tools: [first, second] }) },
    { name: "b", work: () => ({ tools: [third], toolsBeside: () => [third], isOwn: true }) },
    { name: "c", work: () => ({ tools: [second], toolsBeside: () => [first, second] }) },
  ];
  const works = await FeatureWorks.of(features, shared(), choice);
  equal(works.tools(), [first, third]);
  equal(works.toolsBeside(choice)(), [first, third, first]);
  equal(await toolChoice(CODER), undefined);
});
