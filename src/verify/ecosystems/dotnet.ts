/** .NET: a solution, or a project that says that it is one of tests. */
import type { Ecosystem } from "@/verify/ecosystem.ts";
import type { ProjectDir } from "@/verify/project_dir.ts";

const SOLUTIONS = [".sln", ".slnx"];
const PROJECTS = [".csproj", ".fsproj", ".vbproj"];

export const dotnet: Ecosystem = {
  suffixes: [".cs", ".fs", ".vb", ".razor", ".cshtml"],
  rows: [{ declared: "a solution, or a test project", runs: "dotnet test --nologo -v q" }],
  async declared(dir) {
    const solutions = await dir.endingWith(SOLUTIONS);
    if (solutions.length === 0 && !await hasTestProject(dir)) return undefined;
    return {
      name: "dotnet test",
      root: dir.path,
      program: "dotnet",
      args: ["test", "--nologo", "-v", "q"],
      unable: /error NU1301|Unable to load the service index|compatible \.NET SDK was not found/,
    };
  },
};

async function hasTestProject(dir: ProjectDir): Promise<boolean> {
  for (const name of await dir.endingWith(PROJECTS)) {
    const text = await dir.text(name) ?? "";
    if (/Microsoft\.NET\.Test\.Sdk|<IsTestProject>\s*true/i.test(text)) return true;
  }
  return false;
}
