/**
 * The environment of every process we start: built from an allowlist, never inherited, so that a key or token of the
 * person's cannot reach a command. What is set on top makes programs answer instead of opening a pager, an editor or a
 * password prompt.
 */
import { isAbsolute } from "@/lib/path.ts";

/** Passed on as the person has them. No name here may hold a secret; values are looked at as well. */
const PASSED: ReadonlySet<string> = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TZ", "TMPDIR", "LANG", "LANGUAGE"],
  ...["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"],
  // Where toolchains live and how builds are told to behave.
  ...["CC", "CXX", "AR", "CPATH", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "MAKEFLAGS"],
  ...["PKG_CONFIG_PATH", "CMAKE_PREFIX_PATH", "JAVA_HOME", "MAVEN_OPTS", "GRADLE_USER_HOME"],
  ...["GOPATH", "GOROOT", "GOBIN", "GOFLAGS", "GOPROXY", "GOTOOLCHAIN", "GOCACHE", "GOMODCACHE"],
  ...["CARGO_HOME", "CARGO_TARGET_DIR", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "RUSTFLAGS"],
  ...["RUST_BACKTRACE", "DOTNET_ROOT", "ANDROID_HOME", "GEM_HOME", "GEM_PATH", "RBENV_ROOT"],
  ...["PYTHONPATH", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE", "PYENV_ROOT", "PYENV_VERSION"],
  ...["VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "UV_CACHE_DIR", "PIP_FIND_LINKS"],
  ...["NODE_PATH", "NODE_ENV", "NVM_DIR", "VOLTA_HOME", "PNPM_HOME", "BUN_INSTALL", "SDKMAN_DIR"],
  // Set aside for our own start and handed back; see person_env.ts.
  ...["NODE_OPTIONS", "OTEL_DENO", "OTEL_DENO_TRACING", "OTEL_DENO_METRICS", "OTEL_DENO_CONSOLE"],
  ...["DENO_V8_FLAGS", "DENO_COVERAGE_DIR", "DENO_LOG"],
  // Proxies and certificate stores: without them nothing connects from behind a company's gateway.
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"],
  ...["http_proxy", "https_proxy", "all_proxy", "no_proxy"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE", "PIP_CERT"],
  ...["REQUESTS_CA_BUNDLE", "GIT_SSL_CAINFO", "DENO_CERT", "DENO_TLS_CA_STORE"],
]);

/** Windows has its own names for the same things, in any case; nothing starts there without some of them. */
const PASSED_ON_WINDOWS: ReadonlySet<string> = new Set([
  ...["SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "PATH", "TEMP", "TMP"],
  ...["USERPROFILE", "USERNAME", "USERDOMAIN", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA"],
  ...["PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "PUBLIC", "OS"],
  ...["NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE"],
]);

/** Programs answer at once. `false` as an editor fails: an editor that "succeeds" would commit an empty message. */
const NON_INTERACTIVE: Readonly<Record<string, string>> = {
  TERM: "dumb",
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "cat",
  EDITOR: "false",
  VISUAL: "false",
  GIT_EDITOR: "false",
  GIT_SEQUENCE_EDITOR: "false",
  GIT_MERGE_AUTOEDIT: "no",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "false",
  SSH_ASKPASS: "false",
  SSH_ASKPASS_REQUIRE: "force",
  SUDO_ASKPASS: "false",
  DEBIAN_FRONTEND: "noninteractive",
  PIP_NO_INPUT: "1",
  // A prompt or a progress line must not wait in the program's own buffer.
  PYTHONUNBUFFERED: "1",
};

/** Part of a name that says: the value is a secret. Holds for the allowlist too, in case it grows carelessly. */
const SECRET_NAME =
  /KEY|TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|COOKIE|(^|_)(AUTH|PAT|PWD)(_|$)|HEADERS/i;

/** `https://user:password@host`, in any value. */
const SECRET_URL = /[a-z][a-z0-9+.-]*:\/\/[^/\s@]*@/i;

/** What differs between systems and callers. */
export type EnvironmentOptions = {
  /** Further names to pass on, by the person's own word; these may be secrets. */
  also?: readonly string[];
  isWindows?: boolean;
};

/**
 * The environment of a child. `person` is the environment as the person had it (`personEnv`). Loader variables (`LD_*`,
 * `DYLD_*`), `DENO_DIR` (ours, not the person's) and everything that is not listed stay out.
 */
export function childEnvironment(
  person: Readonly<Record<string, string>>,
  options: EnvironmentOptions = {},
): Record<string, string> {
  const { also = [], isWindows = false } = options;
  const built: Record<string, string> = {};
  for (const [name, value] of Object.entries(person)) {
    const isNamed = also.includes(name);
    if (!isNamed && (!isPassed(name, isWindows) || isSecret(name, value))) continue;
    if (isLoader(name)) continue;
    built[name] = isPath(name, isWindows) ? absolutePath(value, isWindows) : value;
  }
  return { ...built, ...NON_INTERACTIVE };
}

function isPassed(name: string, isWindows: boolean): boolean {
  if (PASSED.has(name) || name.startsWith("LC_")) return true;
  return isWindows && PASSED_ON_WINDOWS.has(name.toUpperCase());
}

function isSecret(name: string, value: string): boolean {
  return SECRET_NAME.test(name) || SECRET_URL.test(value);
}

function isLoader(name: string): boolean {
  return /^(LD_|DYLD_)/i.test(name) || name === "DENO_DIR";
}

function isPath(name: string, isWindows: boolean): boolean {
  return isWindows ? name.toUpperCase() === "PATH" : name === "PATH";
}

/** `PATH` without empty and relative entries: they would let a checkout put its own `git` first. */
function absolutePath(value: string, isWindows: boolean): string {
  const separator = isWindows ? ";" : ":";
  const isWhole = (entry: string) => isWindows ? /^[a-z]:[\\/]/i.test(entry) : isAbsolute(entry);
  return value.split(separator).filter(isWhole).join(separator);
}
