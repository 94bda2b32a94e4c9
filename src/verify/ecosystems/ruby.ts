/** Ruby: RSpec where it is configured, else a test task of the Rakefile. */
import type { Ecosystem } from "@/verify/ecosystem.ts";
import type { ProjectDir } from "@/verify/project_dir.ts";

const RAKEFILES = ["Rakefile", "rakefile", "Rakefile.rb"];
const TEST_TASK = /\bRake::TestTask\b|\bMinitest::TestTask\b|^[ \t]*task\s*\(?\s*:?["']?test\b/m;

export const ruby: Ecosystem = {
  suffixes: [".rb", ".rake", ".erb"],
  rows: [
    { declared: ".rspec", runs: "bundle exec rspec" },
    { declared: "a Rakefile with a test task", runs: "bundle exec rake test" },
  ],
  async declared(dir) {
    if (await dir.has(".rspec")) return await check(dir, "rspec", ["--fail-fast"]);
    const rakefile = await dir.first(RAKEFILES);
    const text = rakefile === undefined ? "" : await dir.text(rakefile) ?? "";
    return TEST_TASK.test(text) ? await check(dir, "rake", ["test"]) : undefined;
  },
};

/** What Bundler says, not a test of the project: "… (Bundler::GemNotFound)", with a place in its own sources before. */
const UNABLE =
  /(?:^|: )(?<why>(?:Could not|Your Ruby version is|The git source) .*?)(?: \(Bundler::\w+\)|\n *Run `bundle install`)|^(?<why>Could not locate Gemfile.*|bundler: command not found: .*)/m;

async function check(dir: ProjectDir, program: string, args: readonly string[]) {
  const name = program === "rake" ? "rake test" : program;
  const hasBundle = await dir.nearest(["Gemfile"]) !== undefined;
  return hasBundle
    ? { name, root: dir.path, program: "bundle", args: ["exec", program, ...args], unable: UNABLE }
    : { name, root: dir.path, program, args, unable: UNABLE };
}
