/** Python: pytest, by the project's own interpreter. */
import { join } from "@/lib/path.ts";
import type { Ecosystem, Machine } from "@/verify/ecosystem.ts";
import type { ProjectDir } from "@/verify/project_dir.ts";

const MARKERS = ["pyproject.toml", "pytest.ini", "tox.ini", "setup.cfg"];

/** -x: the first failure is what gets fixed; -l: the variables that it happened with. */
const PYTEST = ["-m", "pytest", "-x", "-q", "-l"];

/** No tests were collected: a project without any yet. */
const NO_TESTS = 5;

export const python: Ecosystem = {
  suffixes: [".py", ".pyi"],
  rows: [{ declared: MARKERS.join(", "), runs: "python -m pytest -x -q -l" }],
  async declared(dir, machine) {
    if (await dir.first(MARKERS) === undefined) return undefined;
    const { program, args } = await interpreter(dir, machine);
    return {
      name: "pytest",
      root: dir.path,
      program,
      args: [...args, ...PYTEST],
      okCodes: [NO_TESTS],
      // The last is what managers say that want to fetch a dependency.
      unable:
        /: No module named '?pytest'?\s*$|(?<=^|\n)[ \t]*(?:error: |× )Failed to (?:fetch|download|resolve)|All attempts to connect to pypi\.org failed/,
    };
  },
};

type Interpreter = { program: string; args: readonly string[] };

/** The environment that lies in the project, then what manages one elsewhere, then what is on `PATH`. */
async function interpreter(dir: ProjectDir, machine: Machine): Promise<Interpreter> {
  const own = await dir.nearest([".venv/pyvenv.cfg", "venv/pyvenv.cfg"]);
  if (own !== undefined) {
    const bin = Deno.build.os === "windows" ? ["Scripts", "python.exe"] : ["bin", "python"];
    return { program: join(own.dir.path, own.name, "..", ...bin), args: [] };
  }
  for (const { marker, program, args } of MANAGERS) {
    if (await dir.nearest([marker]) === undefined || !await machine.isInstalled(program)) continue;
    return { program, args };
  }
  return { program: await machine.isInstalled("python") ? "python" : "python3", args: [] };
}

/** --frozen: a check changes no lock file. */
const MANAGERS = [
  { marker: "uv.lock", program: "uv", args: ["run", "--frozen", "python"] },
  { marker: "poetry.lock", program: "poetry", args: ["run", "python"] },
  { marker: "Pipfile.lock", program: "pipenv", args: ["run", "python"] },
];
