/** What a boundary is worth, in words: the one place for /sandbox, `harness doctor` and the documentation. */

/** What holds commands. */
export type BoundaryKind = "bubblewrap" | "seatbelt" | "none";

/** One promise: of what, what holds, and what enforces it ("nothing" is an answer). */
export type BoundaryRow = { what: string; holds: string; by: string };

/** What differs from run to run. */
export type BoundaryFacts = {
  isRoot: boolean;
  /** How many places of the home folder are shown. */
  toolchains: number;
  /** How many `.env` files are masked, and whether all folders were looked into. */
  masked: number;
  isSearchWhole: boolean;
  hasGit: boolean;
  /** Only those are hidden that stand where everything is. */
  areSocketsOpen: boolean;
  limits: { processesMax: number; fileMaxMb: number };
  network: NetworkFacts;
};

/**
 * `isShared`: the commands of a run have one loopback. `why`: the end of a sentence, where no host can be reached.
 * `through`: the variable that names the person's own proxy, which resolves names where they are not checked.
 */
export type NetworkFacts = { isShared: boolean; why?: string; through?: string };

type Promised = {
  what: string;
  /** What holds, by kind. */
  holds: Readonly<Record<Exclude<BoundaryKind, "none">, string>>;
  by: Readonly<Record<Exclude<BoundaryKind, "none">, string>>;
};

const both = (text: string) => ({ bubblewrap: text, seatbelt: text });

/** What keeps places from a command. */
const BY_PLACES = { bubblewrap: "mounts", seatbelt: "Seatbelt" };

/** The promises about commands, in the order in which they are shown: a screen of 80 columns has room for them. */
const PROMISES: readonly Promised[] = [
  {
    what: "other files",
    holds: both("cannot be changed; a private tmp lasts for the run"),
    by: BY_PLACES,
  },
  {
    what: "home",
    holds: both("private; of yours, toolchains to be read"),
    by: BY_PLACES,
  },
  {
    what: "build caches",
    holds: {
      bubblewrap: "Go's is kept for this project from run to run",
      seatbelt: "none is kept",
    },
    by: BY_PLACES,
  },
  {
    what: "harness's keys",
    holds: both("never visible, and none of its sessions"),
    by: BY_PLACES,
  },
  {
    what: "environment",
    holds: both("from a list of names that keys and tokens are not on"),
    by: both("harness"),
  },
  {
    what: "network",
    holds: {
      bubblewrap: "only hosts that you allowed (/network)",
      seatbelt: "none, loopback included",
    },
    by: { bubblewrap: "namespace, proxy", seatbelt: "Seatbelt" },
  },
  {
    what: "loopback",
    holds: { bubblewrap: "of the sandbox, for all commands of a run", seatbelt: "closed" },
    by: { bubblewrap: "namespace", seatbelt: "Seatbelt" },
  },
  {
    what: "sockets",
    holds: {
      bubblewrap: "docker, ssh-agent, D-Bus and X11 are hidden",
      seatbelt: "cannot be connected to",
    },
    by: { bubblewrap: "namespaces", seatbelt: "Seatbelt" },
  },
  {
    what: "processes",
    holds: {
      bubblewrap: "others are invisible; none outlives harness",
      seatbelt: "others are visible, cannot be signalled; a guard ends what is left",
    },
    by: { bubblewrap: "PID namespace", seatbelt: "Seatbelt, harness" },
  },
  {
    what: "kernel",
    holds: {
      bubblewrap: "no capabilities; mounts, ptrace, bpf … refused",
      seatbelt: "as for any program of yours",
    },
    by: { bubblewrap: "seccomp", seatbelt: "nothing" },
  },
  {
    what: "repository",
    holds: both("commits work; hooks, config, info, modules fixed"),
    by: BY_PLACES,
  },
  {
    what: ".env files",
    holds: { bubblewrap: "empty, unless trusted or committed", seatbelt: "cannot be read" },
    by: BY_PLACES,
  },
  {
    what: "rule files",
    holds: both("read-only; a new one waits for your trust"),
    by: { bubblewrap: "mounts, harness", seatbelt: "Seatbelt, harness" },
  },
];

/** Until CI has run our tests on a Mac. */
const UNTESTED: BoundaryRow = {
  what: "this profile",
  holds: "was tried by this run only; harness's tests have not run on macOS yet",
  by: "nothing",
};

const FILE_TOOLS: BoundaryRow = {
  what: "file tools",
  holds: "stay in the workspace by real path, links too",
  by: "harness",
};

/** What no boundary of ours enforces, wherever it runs. */
const NOT_HELD: readonly BoundaryRow[] = [
  {
    what: "the machine",
    holds: "/etc, /opt, /srv … are read as you can read them",
    by: "nothing",
  },
  { what: "memory, disk", holds: "a command may use all there is", by: "nothing" },
  FILE_TOOLS,
];

/** The table of a boundary that holds. */
export function boundaryRows(
  kind: Exclude<BoundaryKind, "none">,
  facts: BoundaryFacts,
): readonly BoundaryRow[] {
  return [
    ...PROMISES.map(({ what, holds, by }) => ({
      what,
      holds: instead(what, facts) ?? `${holds[kind]}${detail(what, facts)}`,
      by: by[kind],
    })),
    limitsRow(facts),
    ...allowedHostsRows(facts.network),
    ...(facts.isRoot
      ? [{
        what: "you are root",
        holds: "root's files outside home can be read",
        by: "nothing",
      }]
      : []),
    ...(kind === "seatbelt" ? [UNTESTED] : []),
    ...NOT_HELD,
  ];
}

/** What holds here, where it is another thing than was promised. */
function instead(
  what: string,
  { network: { isShared, why }, hasGit, areSocketsOpen }: BoundaryFacts,
): string | undefined {
  if (what === "sockets" && areSocketsOpen) {
    return "those in /run, /tmp and home are hidden, others can be reached";
  }
  if (what === "repository" && !hasGit) return "no repository here";
  if (what === "network" && why !== undefined) return `none: ${why}`;
  if (what === "loopback" && !isShared) return "each command has its own";
  return undefined;
}

function detail(what: string, facts: BoundaryFacts): string {
  switch (what) {
    case "home":
      return ` (${facts.toolchains} shown)`;
    case ".env files":
      return ` (${facts.masked} now${
        facts.isSearchWhole ? "" : "; too many folders to look into all"
      })`;
    default:
      return "";
  }
}

/** What an allowed host is not held to. */
function allowedHostsRows({ why, through }: NetworkFacts): readonly BoundaryRow[] {
  if (why !== undefined) return [];
  const resolved = through === undefined
    ? ""
    : `; names are resolved by the proxy of ${through}, where their addresses are not checked`;
  const holds = `what a command sends there is not looked at${resolved}`;
  return [{ what: "allowed hosts", holds, by: "nothing" }];
}

function limitsRow({ isRoot, limits: { processesMax, fileMaxMb } }: BoundaryFacts): BoundaryRow {
  const processes = processesMax === 0
    ? "any number of processes"
    : `${processesMax} processes${isRoot ? " (not of root)" : ""}`;
  const files = fileMaxMb === 0 ? "files of any size" : `files up to ${fileMaxMb} MB`;
  return { what: "limits", holds: `${processes}, ${files}`, by: "rlimit" };
}

/** The table where nothing holds commands. `why`: the end of the sentence. `adopts`: what loses its parent is still found. */
export function noBoundaryRows(
  why: string,
  { isOff, adopts }: { isOff: boolean; adopts: boolean },
): readonly BoundaryRow[] {
  const holds = isOff
    ? `run with your rights (${why})`
    : `run with your rights: ${why}. Each one is asked about, with /automode on as well`;
  return [
    { what: "commands", holds, by: "nothing" },
    {
      what: "environment",
      holds: "from a list of names that keys and tokens are not on",
      by: "harness",
    },
    {
      what: "processes",
      holds: `what they leave ends with harness${adopts ? "" : UNFOUND}`,
      by: "harness",
    },
    FILE_TOOLS,
  ];
}

const UNFOUND = ", but for what clears its environment and leaves session and parent " +
  "(where perl or python3 is in /usr/bin of a Linux, that ends too)";

/** The notice at the start and the reason in each question, where no sandbox holds. */
export function noSandboxNotice(why: string): string {
  return `There is no sandbox for commands here: ${why}. Every command is asked about, with /automode on as well`;
}

/** What could be promised, for the documentation: what, on Linux, on macOS. */
export function promisedRows(): readonly { what: string; linux: string; macos: string }[] {
  return PROMISES.map(({ what, holds, by }) => ({
    what,
    linux: `${holds.bubblewrap} (${by.bubblewrap})`,
    macos: `${holds.seatbelt} (${by.seatbelt})`,
  }));
}

/** Rows as lines: what, what holds, by what. */
export function boundaryText(rows: readonly BoundaryRow[]): string {
  const wide = Math.max(...rows.map(({ what }) => what.length));
  return rows.map(({ what, holds, by }) => `${what.padEnd(wide)}  ${holds}  [${by}]`).join("\n");
}
