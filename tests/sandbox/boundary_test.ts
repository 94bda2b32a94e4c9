import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import {
  boundaryRows,
  boundaryText,
  noBoundaryRows,
  noSandboxNotice,
  promisedRows,
} from "@/sandbox/boundary.ts";
import { type SeatbeltParts, seatbeltProfile } from "@/sandbox/seatbelt_profile.ts";

const FACTS = {
  isRoot: false,
  toolchains: 3,
  masked: 2,
  isSearchWhole: true,
  hasGit: true,
  limits: { processesMax: 10, fileMaxMb: 20 },
  network: { isShared: true },
};

Deno.test("boundaryRows() promises the same things on both systems, and says what nothing enforces", () => {
  const linux = boundaryRows("bubblewrap", FACTS);
  const macos = boundaryRows("seatbelt", FACTS);
  const missing = linux.filter(({ what }) => !macos.some((row) => row.what === what));
  equal(missing, []);
  ok(linux.some(({ by }) => by === "nothing"));
  ok(macos.some(({ what, by }) => what === "this profile" && by === "nothing"));
  const text = boundaryText(linux);
  match(text, /^home .*\(3 shown\)/m);
  match(text, /^\.env files .*\(2 now\)/m);
  match(text, /^limits +10 processes, files up to 20 MB +\[rlimit\]$/m);
  equal(/root/.test(text), false);
});

Deno.test("the table of a boundary fits a screen of 80 columns and 24 rows", () => {
  const limits = { processesMax: 4_000, fileMaxMb: 10_000 };
  const rows = boundaryRows("bubblewrap", { ...FACTS, isRoot: true, toolchains: 12, limits });
  const lines = boundaryText(rows).split("\n");
  equal(lines.filter((line) => line.length > 80), []);
  ok(lines.length < 24);
});

Deno.test("boundaryRows() says why no host can be reached, and whose loopback it is", () => {
  const text = boundaryText(
    boundaryRows("bubblewrap", { ...FACTS, network: { isShared: false, why: "no nsenter" } }),
  );
  match(text, /^network +none: no nsenter +\[/m);
  match(text, /^loopback +each command has its own +\[/m);
});

Deno.test("boundaryRows() says what an allowed host is not held to, and a proxy on the way", () => {
  const network = { isShared: true, through: "https_proxy" };
  match(
    boundaryText(boundaryRows("bubblewrap", FACTS)),
    /^allowed hosts .*is not looked at +\[nothing\]$/m,
  );
  const text = boundaryText(boundaryRows("bubblewrap", { ...FACTS, network }));
  match(text, /resolved by the proxy of https_proxy, where their addresses are not checked/);
});

Deno.test("boundaryRows() tells root, an unfinished search and limits that are off", () => {
  const limits = { processesMax: 0, fileMaxMb: 0 };
  const text = boundaryText(
    boundaryRows("bubblewrap", {
      ...FACTS,
      isRoot: true,
      isSearchWhole: false,
      hasGit: false,
      limits,
    }),
  );
  match(text, /^you are root .*\[nothing\]$/m);
  match(text, /too many folders to look into all/);
  match(text, /no repository here/);
  match(text, /^limits +any number of processes, files of any size/m);
});

Deno.test("without a boundary the table and the notice say so and claim nothing", () => {
  const why = "bubblewrap (bwrap) is not installed";
  const rows = noBoundaryRows(why, { isOff: false, adopts: true });
  match(
    boundaryText(rows),
    /^commands .*with your rights: bubblewrap \(bwrap\) is not installed\. Each one is asked about/m,
  );
  equal(rows[0]?.by, "nothing");
  match(boundaryText(rows), /^processes +what they leave ends with harness {2}\[harness\]$/m);
  const off = boundaryText(noBoundaryRows("--sandbox off", { isOff: true, adopts: false }));
  match(off, /with your rights \(--sandbox off\)/);
  match(off, /^processes .*, but for what clears its environment/m);
  const notice = noSandboxNotice("x");
  match(notice, /no sandbox.*: x\. Every command is asked about/);
  equal(/sandboxed/.test(notice + boundaryText(rows)), false);
});

Deno.test("promisedRows() has a text for each system", () => {
  for (const { what, linux, macos } of promisedRows()) {
    ok(what !== "" && linux !== "" && macos !== "");
  }
});

const PARTS: SeatbeltParts = {
  layout: {
    roots: ["/Users/me/code/project"],
    homes: ["/Users/me"],
    home: "/Users/me",
    hidden: ["/Users"],
    hiddenFiles: [],
    temporary: ["/private/tmp"],
    stateDir: "/Users/me/.harness",
  },
  home: "/private/tmp/harness-sandbox-x/home",
  temporary: "/private/tmp/harness-sandbox-x/tmp",
  readable: ["/Users/me/.cargo/bin"],
  hidden: ["/Users/me/.nvm/versions/node/v20/etc/npmrc"],
  git: [{
    top: "/Users/me/code/project",
    writable: ["/Users/me/code/project/.git"],
    pinned: ["/Users/me/code/project/.git/hooks"],
    redirections: ["/Users/me/code/project/.git/commondir"],
  }],
  readOnlyFiles: ["/Users/me/code/project/.mcp.json"],
  shownEnvFiles: [],
  policy: {},
};

/** Rules of a profile: action → filters, in order. */
function rules(profile: string): [string, string[]][] {
  return [...profile.matchAll(/^\(((?:allow|deny) [^\n(]*?)\n((?: {2}\(.*\n?)+)\)?/gm)].map(
    ([, action = "", body = ""]) => [action, body.trim().split("\n").map((line) => line.trim())],
  );
}

Deno.test("seatbeltProfile() denies first, gives what is shown, and takes back what is pinned and secret", () => {
  const order = rules(seatbeltProfile(PARTS)).map(([action, filters]) =>
    `${action}: ${filters.length}`
  );
  equal(order, [
    "deny file-read* file-write*: 2",
    "allow file-read-metadata: 9",
    "allow file-read*: 5",
    "allow file-write*: 4",
    "deny file-read*: 1",
    "deny file-write*: 4",
    "deny file-read* file-write*: 1",
    "allow file-read*: 1",
    "deny file-read* file-write*: 1",
  ]);
  const profile = seatbeltProfile(PARTS);
  match(profile, /^\(version 1\)\n\(deny default\)/);
  equal(/network/.test(profile), false, "what is not allowed is denied");
  ok(profile.trimEnd().endsWith('(deny file-read* file-write*\n  (subpath "/Users/me/.harness"))'));
  equal(
    profile.split("(").length,
    profile.split(")").length + profile.split("\\(").length - profile.split("\\)").length,
  );
});

Deno.test("seatbeltProfile() gives no workspace to those that only read", () => {
  const reading = rules(seatbeltProfile({ ...PARTS, policy: { canWriteWorkspace: false } }));
  const [, writable = []] = reading.find(([action]) => action === "allow file-write*") ?? [];
  equal(writable.some((filter) => filter.includes("project")), false);
});

Deno.test("seatbeltProfile() quotes paths", () => {
  const root = '/Users/me/a "b" \\ (c) $d';
  const layout = { ...PARTS.layout, roots: [root] };
  const profile = seatbeltProfile({ ...PARTS, layout, git: [] });
  ok(profile.includes('(subpath "/Users/me/a \\"b\\" \\\\ (c) $d")'), profile);
  ok(
    profile.includes(
      '(regex "^/Users/me/a \\"b\\" \\\\\\\\ \\\\(c\\\\) \\\\$d/(.*/)?\\\\.env[^/]*$")',
    ),
    profile,
  );
});
