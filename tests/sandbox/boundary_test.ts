import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import {
  boundaryRows,
  boundaryText,
  noBoundaryRows,
  noSandboxNotice,
  promisedRows,
} from "@/sandbox/boundary.ts";

const FACTS = {
  isRoot: false,
  toolchains: 3,
  masked: 2,
  isSearchWhole: true,
  hasGit: true,
  areSocketsOpen: false,
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
