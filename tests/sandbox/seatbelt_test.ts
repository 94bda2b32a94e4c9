/**
 * The profile of macOS, read as the system would read it: the last rule that matches an operation decides. What the system
 * really does has not been seen; this holds that the text says what it should.
 */
import { deepStrictEqual as equal, throws } from "node:assert/strict";
import { join } from "node:path";
import { type SeatbeltParts, seatbeltProfile } from "@/sandbox/seatbelt_profile.ts";

const PROJECT = "/Users/me/code/project";

const PARTS: SeatbeltParts = {
  layout: {
    roots: [PROJECT],
    homes: ["/Users/me"],
    home: "/Users/me",
    hidden: ["/Users", "/private/var/folders"],
    hiddenFiles: ["/private/etc/master.passwd"],
    temporary: ["/private/tmp"],
    stateDir: "/Users/me/.harness",
  },
  home: "/private/tmp/harness-sandbox-x/home",
  temporary: "/private/tmp/harness-sandbox-x/tmp",
  readable: ["/Users/me/.cargo/bin", "/Users/me/.nvm"],
  hidden: ["/Users/me/.nvm/etc/npmrc"],
  git: [{
    top: PROJECT,
    writable: [`${PROJECT}/.git`],
    pinned: [`${PROJECT}/.git/hooks`, `${PROJECT}/.git/config`],
    redirections: [`${PROJECT}/.git/commondir`],
  }],
  readOnlyFiles: [`${PROJECT}/.mcp.json`],
  shownEnvFiles: [`${PROJECT}/.env.public`],
  policy: {},
};

type Form = string | { quoted: string } | readonly Form[];

/** A profile as nested lists. Throws where a bracket or a quote is not closed. */
function parse(text: string): readonly Form[] {
  const tokens = text.matchAll(/\s+|([()])|#?"((?:[^"\\]|\\.)*)"|([^\s()"]+)/gy);
  const open: Form[][] = [[]];
  let at = 0;
  for (const token of tokens) {
    at = token.index + token[0].length;
    const [, bracket, quoted, word] = token;
    if (bracket === "(") open.push([]);
    else if (bracket === ")") {
      const form = open.pop() ?? [];
      const above = open.at(-1);
      if (above === undefined) throw new Error("closed too often");
      above.push(form);
    } else if (quoted !== undefined) {
      const isRaw = token[0].startsWith("#");
      open.at(-1)?.push({ quoted: isRaw ? quoted : quoted.replaceAll(/\\(.)/g, "$1") });
    } else if (word !== undefined) open.at(-1)?.push(word);
  }
  if (at !== text.length || open.length !== 1) throw new Error(`not closed at ${at}`);
  return open[0] ?? [];
}

/** What an operation is about. */
type Subject = { path?: string; isOwnTerminal?: boolean; name?: string };

function holds(filter: Form, subject: Subject): boolean {
  if (typeof filter === "string" || !Array.isArray(filter)) throw new Error("no filter");
  const [kind, argument, ...more] = filter as Form[];
  const text = typeof argument === "object" && "quoted" in argument ? argument.quoted : "";
  const { path = "" } = subject;
  switch (kind) {
    case "literal":
      return path === text;
    case "subpath":
      return path === text || path.startsWith(`${text}/`);
    case "regex":
      return new RegExp(text).test(path);
    case "require-all":
      return [argument ?? "", ...more].every((one) => holds(one, subject));
    case "extension":
      return subject.isOwnTerminal === true;
    case "global-name":
      return subject.name === text;
    case "target":
      return subject.name === argument;
    default:
      throw new Error(`a filter that nobody knows: ${JSON.stringify(kind)}`);
  }
}

/** Whether a profile allows an operation. */
function allows(profile: string, operation: string, subject: Subject = {}): boolean {
  let verdict = "";
  for (const form of parse(profile)) {
    const [action = "", ...rest] = form as Form[];
    if (action === "version") continue;
    const operations = rest.filter((one) => typeof one === "string");
    const filters = rest.filter((one) => typeof one !== "string");
    const isAbout = operations.some((one) =>
      one === "default" || one === operation ||
      one.endsWith("*") && operation.startsWith(one.slice(0, -1))
    );
    // Filters beside each other are alternatives.
    if (isAbout && (filters.length === 0 || filters.some((one) => holds(one, subject)))) {
      verdict = String(action);
    }
  }
  return verdict === "allow";
}

const rightsOf = (profile: string, path: string) =>
  [
    allows(profile, "file-read-data", { path }) ? "r" : "-",
    allows(profile, "file-write-data", { path }) ? "w" : "-",
  ].join("");

const RIGHTS: readonly (readonly [string, string])[] = [
  ["rw", `${PROJECT}/a.txt`],
  ["rw", `${PROJECT}/.git/index`],
  ["rw", "/private/tmp/harness-sandbox-x/home/.cache/a"],
  ["rw", "/private/tmp/harness-sandbox-x/tmp/a"],
  ["rw", "/dev/null"],
  ["rw", "/dev/ptmx"],
  ["r-", "/etc/hosts"],
  ["r-", "/usr/lib/libSystem.dylib"],
  ["r-", "/Users/me/.cargo/bin/cargo"],
  ["r-", `${PROJECT}/.git`],
  ["r-", `${PROJECT}/.git/hooks`],
  ["r-", `${PROJECT}/.git/hooks/pre-commit`],
  ["r-", `${PROJECT}/.git/config`],
  ["r-", `${PROJECT}/.git/commondir`],
  ["r-", `${PROJECT}/.git/CommonDir`],
  ["r-", `${PROJECT}/.mcp.json`],
  ["r-", `${PROJECT}/a/.env.example`],
  ["r-", `${PROJECT}/.env.public`],
  ["--", `${PROJECT}/.env`],
  ["--", `${PROJECT}/a/b/.ENV.local`],
  ["--", "/Users/me/.ssh/id_ed25519"],
  ["--", "/Users/me/.nvm/etc/npmrc"],
  ["--", "/Users/other/a"],
  ["--", "/Users/me/.harness/providers.json"],
  ["--", "/private/tmp/ssh-agent"],
  ["--", "/private/var/folders/x/T/a"],
  ["--", "/private/etc/master.passwd"],
  ["--", "/dev/ttys003"],
  ["--", "/dev/tty.usbserial"],
  ["--", "/dev/cu.modem"],
  ["--", "/dev/disk0"],
  ["--", "/dev/rdisk0"],
];

Deno.test("seatbeltProfile() gives the rights that are promised, path by path", () => {
  const profile = seatbeltProfile(PARTS);
  equal(RIGHTS.map(([, path]) => [rightsOf(profile, path), path]), RIGHTS);
  // The way to what is shown may be gone, and not be looked around on.
  const path = "/Users/me/code";
  equal(allows(profile, "file-read-metadata", { path }), true);
  equal(allows(profile, "file-read-data", { path }), false);
});

Deno.test("seatbeltProfile() gives a terminal that was made inside, and nobody's else", () => {
  const profile = seatbeltProfile(PARTS);
  const path = "/dev/ttys003";
  equal(allows(profile, "pseudo-tty"), true);
  for (const operation of ["file-read-data", "file-write-data", "file-ioctl"]) {
    equal(allows(profile, operation, { path, isOwnTerminal: true }), true, operation);
    equal(allows(profile, operation, { path }), false, operation);
  }
});

Deno.test("seatbeltProfile() leaves no network, no services and nobody's processes", () => {
  const profile = seatbeltProfile(PARTS);
  for (const operation of ["network-outbound", "network-bind", "system-socket", "iokit-open"]) {
    equal(allows(profile, operation, { path: "/var/run/docker.sock" }), false, operation);
  }
  for (
    const name of [
      "com.apple.SecurityServer",
      "com.apple.securityd.xpc",
      "com.apple.coreservices.appleevents",
      "com.apple.pasteboard.1",
      "com.apple.coreservices.launchservicesd",
    ]
  ) equal(allows(profile, "mach-lookup", { name }), false, name);
  equal(allows(profile, "signal", { name: "others" }), false);
  equal(allows(profile, "signal", { name: "same-sandbox" }), true);
  equal(allows(profile, "process-exec"), true);
});

Deno.test("seatbeltProfile() gives no workspace to those that only read, and what the caller adds", () => {
  const policy = {
    canWriteWorkspace: false,
    writable: ["/private/tmp/vm"],
    readable: ["/Users/me/r"],
  };
  const profile = seatbeltProfile({ ...PARTS, policy });
  const paths = [`${PROJECT}/a.txt`, `${PROJECT}/.git/index`, "/private/tmp/vm/a", "/Users/me/r/a"];
  equal(paths.map((path) => rightsOf(profile, path)), ["r-", "r-", "rw", "r-"]);
});

Deno.test("seatbeltProfile() means a path as it is, whatever characters it has", () => {
  const root = '/Users/me/a "b" \\ (c) $d [e]+.*';
  const layout = { ...PARTS.layout, roots: [root] };
  const profile = seatbeltProfile({ ...PARTS, layout, git: [], readOnlyFiles: [join(root, "x")] });
  const rights = ["a.txt", "x", ".env", "y/.env.example"].map((name) =>
    rightsOf(profile, join(root, name))
  );
  equal(rights, ["rw", "r-", "--", "r-"]);
  equal(rightsOf(profile, '/Users/me/a "b" \\ (c) $d [e]/a'), "--");
});

Deno.test("the reading of these tests takes no profile that is not whole", () => {
  for (const text of ['(allow file-read* (literal "/a")', "(allow))", '(deny (literal "a))']) {
    throws(() => parse(text));
  }
});
