/**
 * Where toolchains lie in a home directory. Home is hidden as a whole, because a list of secrets always misses one; these
 * places are shown read-only in it, by sub-path, so that what lies beside them (`.cargo/credentials.toml`,
 * `.m2/settings.xml`, `.gem/credentials`) stays hidden.
 */
import { isWithin } from "@/lib/path_within.ts";
import { basename, dirname, join } from "@/lib/path.ts";
import { kindAt, namesIn, realPath } from "@/sandbox/look.ts";

/** One tool's place. `show`: the parts that are shown, else the whole. `hide`: what is hidden in them, `*` for one name. */
type Toolchain = { at: string; env?: string; show?: readonly string[]; hide?: readonly string[] };

const NPMRC = "etc/npmrc";
const CONDA = [".condarc", "envs/*/.condarc"];

const TOOLCHAINS: readonly Toolchain[] = [
  { at: ".pyenv", env: "PYENV_ROOT", hide: ["versions/*/pip.conf"] },
  { at: ".nvm", env: "NVM_DIR", hide: [`versions/node/*/${NPMRC}`] },
  {
    at: ".volta",
    env: "VOLTA_HOME",
    show: ["bin", "tools"],
    hide: [`tools/image/node/*/${NPMRC}`],
  },
  { at: ".asdf", hide: [`installs/nodejs/*/${NPMRC}`] },
  ...["nodenv", "rbenv", "goenv", "jenv", "tfenv", "elan", "ghcup", "opam", "dotnet", "swiftly"]
    .map((name) => ({ at: `.${name}` })),
  { at: ".cargo", env: "CARGO_HOME", show: ["bin", "registry", "env"] },
  { at: ".rustup", env: "RUSTUP_HOME" },
  { at: ".deno", show: ["bin"] },
  { at: ".bun", env: "BUN_INSTALL", show: ["bin"] },
  { at: ".sdkman", env: "SDKMAN_DIR", show: ["bin", "candidates"] },
  { at: "go", env: "GOPATH", show: ["bin", "pkg"] },
  { at: "sdk" },
  { at: ".local", show: ["bin", "lib", "pipx/venvs"] },
  { at: ".local/share/pipx", show: ["venvs"] },
  { at: ".local/share/uv", show: ["python", "tools"] },
  { at: ".local/share/mise", show: ["installs", "shims"], hide: [`installs/node/*/${NPMRC}`] },
  { at: ".local/share/fnm", hide: [`node-versions/*/installation/${NPMRC}`] },
  { at: ".local/share/pnpm", env: "PNPM_HOME" },
  { at: ".local/share/virtualenvs" },
  ...["miniconda3", "anaconda3", "miniforge3", "mambaforge"].map((at) => ({ at, hide: CONDA })),
  { at: ".gem", env: "GEM_HOME", show: ["ruby"] },
  { at: ".local/share/gem", show: ["ruby"] },
  { at: ".rvm", env: "rvm_path", show: ["bin", "rubies", "gems", "scripts", "environments"] },
  { at: ".rubies" },
  { at: ".m2", show: ["repository", "wrapper"] },
  { at: ".nuget", show: ["packages"] },
  { at: ".cabal", show: ["bin", "packages", "store"] },
  { at: ".stack", show: ["programs", "pantry", "snapshots"] },
  { at: ".juliaup", show: ["bin", "julia*"] },
  { at: ".julia", show: ["packages", "artifacts", "compiled", "registries"] },
  { at: ".composer", show: ["vendor"] },
  { at: ".config/composer", env: "COMPOSER_HOME", show: ["vendor"] },
  { at: ".phpenv" },
  { at: ".pub-cache", show: ["bin", "hosted"] },
  { at: "flutter" },
  { at: "Android/Sdk", env: "ANDROID_HOME" },
  { at: ".npm-global", show: ["bin", "lib"] },
  { at: ".yarn", show: ["bin"] },
  { at: ".krew", show: ["bin"] },
  { at: ".nimble", show: ["bin", "pkgs", "pkgs2"] },
  { at: "perl5" },
  // What was downloaded already, so that builds with dependencies work without a network.
  { at: ".cache/deno", show: ["npm", "remote", "deps"] },
  { at: ".cache/ms-playwright" },
  // Where poetry keeps the environments of projects.
  { at: ".cache/pypoetry", show: ["virtualenvs"] },
  { at: ".linuxbrew" },
];

/** Files whose name says that they hold a credential; hidden at the top of every place that is shown. */
const CREDENTIALS =
  /^\.?(npmrc|yarnrc\.yml|netrc|pypirc|condarc|git-credentials|credentials(\.(json|toml|yaml))?|auth\.(json|toml|ini))$/i;

/** What belongs to a program of which only `bin` is on `PATH`. */
const PREFIX_PARTS = ["lib", "lib64", "libexec", "include", "share", "Cellar", "opt", "Frameworks"];

/** What is to be seen of hidden directories. All paths are absolute; `from` is a real path. */
export type Shown = {
  /** `at`: where it stands; `from`: what is found there, different for a link on the way. */
  dirs: readonly { at: string; from: string }[];
  /** Files in these that stay hidden. */
  hidden: readonly string[];
};

/** What to look at. */
export type ToolchainOptions = {
  /** Home directories of the person; the first is `HOME`. */
  homes: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Whether a path lies in a directory that is hidden. */
  isHidden(path: string): boolean;
  /** Whether a path is, or holds, something that must never be shown. */
  isSecret(path: string): boolean;
};

/** Find them. Reads directories only; never throws for what it meets there. */
export function findToolchains(options: ToolchainOptions): Shown {
  const { homes, env, isHidden, isSecret } = options;
  const dirs = new Map<string, string>();
  const hidden = new Set<string>();
  const show = (at: string) => {
    const from = realPath(at);
    if (from === undefined || !isHidden(at) || isSecret(from) || isSecret(at)) return;
    if (homes.some((home) => isWithin(home, from) || isWithin(home, at))) return;
    if ([...dirs.keys()].some((known) => isWithin(at, known))) return;
    dirs.set(at, from);
    for (const name of namesIn(from)) if (CREDENTIALS.test(name)) hidden.add(join(from, name));
  };
  for (const { at, env: variable, show: parts, hide = [] } of TOOLCHAINS) {
    // GOPATH may name several.
    const own = variable === undefined ? [] : (env[variable] ?? "").split(":");
    const roots = [
      ...homes.map((home) => join(home, at)),
      ...own.filter((path) => path.startsWith("/")),
    ];
    for (const root of new Set(roots)) {
      for (const part of parts ?? [""]) for (const path of matches(root, part)) show(path);
      for (const pattern of hide) for (const path of matches(root, pattern)) hidden.add(path);
    }
  }
  for (const entry of (env["PATH"] ?? "").split(":")) {
    if (!entry.startsWith("/")) continue;
    for (const path of programPlaces(entry, homes)) show(path);
    // Poetry, and whatever else comes with an environment of its own: what is on `PATH` is a link into that.
    if (isHidden(entry)) {
      for (const bin of linkedBins(entry)) {
        for (const path of ownEnvironment(bin, homes)) show(path);
      }
    }
  }
  return {
    dirs: [...dirs].map(([at, from]) => ({ at, from })),
    hidden: [...hidden].flatMap((path) => realPath(path) ?? []),
  };
}

/** A directory on `PATH`, and what programs in a `bin` need beside it. */
function programPlaces(entry: string, homes: readonly string[]): string[] {
  const path = entry.replace(/(?<!\/)\/+$/, "");
  const above = dirname(path);
  const isOwnPrefix = basename(path) === "bin" && !homes.includes(above) &&
    !homes.some((home) => above === join(home, ".local"));
  return [path, ...(isOwnPrefix ? PREFIX_PARTS.map((part) => join(above, part)) : [])];
}

/** The `bin` directories elsewhere to which links in a directory on `PATH` lead. */
function linkedBins(entry: string): ReadonlySet<string> {
  const bins = namesIn(entry).map((name) => join(entry, name))
    .filter((path) => kindAt(path) === "link")
    .flatMap((path) => realPath(path) ?? [])
    .map((target) => dirname(target));
  return new Set(bins.filter((bin) => basename(bin) === "bin"));
}

/** A `bin` with what its programs need, and the file that makes an environment of Python's of it. */
function ownEnvironment(bin: string, homes: readonly string[]): string[] {
  const places = programPlaces(bin, homes);
  return places.length === 1 ? places : [...places, join(dirname(bin), "pyvenv.cfg")];
}

/** Existing paths below a root that match a pattern in which `*` stands for part of one name. */
function matches(root: string, pattern: string): string[] {
  let found = [root];
  for (const part of pattern === "" ? [] : pattern.split("/")) {
    if (!part.includes("*")) {
      found = found.map((path) => join(path, part));
      continue;
    }
    const [before = "", after = ""] = part.split("*");
    found = found.flatMap((path) =>
      namesIn(path).filter((name) => name.startsWith(before) && name.endsWith(after))
        .map((name) => join(path, name))
    );
  }
  return found.filter((path) => realPath(path) !== undefined);
}
