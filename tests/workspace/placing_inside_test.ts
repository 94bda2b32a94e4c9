/** Writing through the sandbox, with a process inside that swaps directories for links meanwhile. */
import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { Attributes } from "@/workspace/attributes.ts";
import { lstat } from "@/workspace/entry.ts";
import { EditJournal } from "@/workspace/journal.ts";
import { openReal, readReal } from "@/workspace/open_real.ts";
import { placingInside } from "@/workspace/placing_inside.ts";
import { undo } from "@/workspace/undo.ts";
import { Processes } from "@/sandbox/processes.ts";
import {
  type Folders,
  type Inside,
  needing,
  testEnv,
  withFolders,
  withSandbox,
} from "../support/sandbox.ts";
import { attributes, hasAttributes, TAG } from "../support/attributes.ts";
import { races } from "../support/races.ts";

const needs = await needing();
const HAS_ATTRIBUTES = await hasAttributes();
const bytes = (text: string) => new TextEncoder().encode(text);

type Place = Inside & { journal: EditJournal; write(path: string, text: string): Promise<void> };

function withJournal(
  body: (place: Place) => Promise<void>,
  prepare: (folders: Folders) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  return withSandbox(async (inside) => {
    const { workspace, state, processes, sandbox } = inside;
    using journal = await EditJournal.open({
      ...{ stateDir: state, workspace, session: "s" },
      placing: () => placingInside({ processes, wrap: sandbox.wrap() }),
    });
    const write = async (path: string, text: string) => {
      const after = { kind: "file", bytes: bytes(text), mode: 0 } as const;
      const changes = [{ path: join(workspace, path), expected: "unchecked", after } as const];
      await journal.edit({ tool: "write_file", callId: "c", turn: 1, changes });
    };
    await body({ ...inside, journal, write });
  }, { prepare });
}

Deno.test({
  name: "without a sandbox another process does the same, links and owners included",
  ignore: Deno.build.os !== "linux",
}, async () => {
  await withFolders(async ({ workspace, state, home }) => {
    const processes = new Processes(testEnv(home));
    using journal = await EditJournal.open({
      ...{ stateDir: state, workspace, session: "s" },
      placing: () => placingInside({ processes }),
    });
    const [file, link] = [join(workspace, "a/b.txt"), join(workspace, "link")];
    const change = async (path: string, text: string | undefined) => {
      const after = text === undefined
        ? { kind: "absent" } as const
        : { kind: "file", bytes: bytes(text), mode: 0 } as const;
      const changes = [{ path, expected: "unchecked", after } as const];
      await journal.edit({ tool: "write_file", callId: "c", turn: 1, changes });
    };
    await change(file, "one\n");
    if (Deno.uid() === 0) await Deno.chown(file, 61_234, 61_234);
    await change(file, "two\n");
    const { uid, size } = await Deno.lstat(file);
    equal([uid, size], [Deno.uid() === 0 ? 61_234 : Deno.uid(), 4]);
    await Deno.symlink("a/b.txt", link);
    await change(link, undefined);
    ok((await undo(journal)).ok);
    equal(Deno.readLinkSync(link), "a/b.txt", "a link comes back");
    equal([...Deno.readDirSync(workspace)].length, 2, "nothing is left lying about");
    await processes.close();
  });
});

Deno.test({
  name: "programs that the workspace offers on PATH are not run",
  ignore: Deno.build.os !== "linux",
}, async () => {
  await withFolders(async ({ workspace, home }) => {
    const bin = join(workspace, "node_modules/.bin");
    await Deno.mkdir(bin, { recursive: true });
    for (const name of ["stat", "mv", "cp", "cat", "chmod", "chown", "rm", "sync", "tar", "grep"]) {
      const script = `#!/bin/sh\necho ${name} >> '${home}/ran'\nexit 1\n`;
      await Deno.writeTextFile(join(bin, name), script, { mode: 0o755 });
    }
    await Deno.symlink(bin, join(home, "bin"));
    const PATH = `${bin}:${join(home, "bin")}:/usr/bin:/bin`;
    const processes = new Processes({ ...testEnv(home), PATH }, { notUnder: [workspace] });
    const path = join(workspace, "a.txt");
    const options = { temp: ".t.tmp", look: () => Promise.resolve(lstat(path)) };
    await placingInside({ processes }).file(path, bytes("one\n"), { ...options, mode: {} });
    equal(await new Attributes(processes).has(path), false);
    await placingInside({ processes }).away(path, options);
    equal([...Deno.readDirSync(home)].some(({ name }) => name === "ran"), false);
    await processes.close();
  });
});

/** What differs in the programs of macOS and BSD, as their manuals have it: none takes what GNU's alone take. */
const BSD_PROGRAMS = {
  stat: `[ "$1" = -f ] || { echo "stat: illegal option -- c" >&2; exit 1; }
exec /usr/bin/stat -c '%i %s %.9Y' -- "$4"`,
  mv: `case $1 in *T*) echo "mv: illegal option -- T" >&2; exit 64 ;; esac
exec /bin/mv "$@"`,
  cp: `case $1 in --*) echo "cp: illegal option -- -" >&2; exit 64 ;; esac
case $2 in --*?) echo "cp: illegal option -- -" >&2; exit 64 ;; esac
shift
exec /bin/cp --preserve=all "$@"`,
  sync: `[ $# = 0 ] || exit 1`,
};

Deno.test({
  name: "with the programs of macOS and BSD it is the same, attributes included",
  ignore: Deno.build.os !== "linux",
}, async () => {
  await withFolders(async ({ workspace, home }) => {
    const bin = join(home, "bin");
    await Deno.mkdir(bin, { recursive: true });
    for (const [name, script] of Object.entries(BSD_PROGRAMS)) {
      await Deno.writeTextFile(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    }
    const processes = new Processes({ ...testEnv(home), PATH: `${bin}:/usr/bin:/bin` });
    const placing = placingInside({ processes });
    const path = join(workspace, "a.txt");
    const options = { temp: ".t.tmp", look: () => Promise.resolve(lstat(path)) };
    const left = () => [...Deno.readDirSync(workspace)].map(({ name }) => name);
    await placing.file(path, bytes("one\n"), { ...options, mode: { mode: 0o750 } });
    if (HAS_ATTRIBUTES) await attributes(path, TAG);
    await placing.file(path, bytes("two\n"), { ...options, mode: {} });
    equal(await Deno.readTextFile(path), "two\n");
    equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o750);
    if (HAS_ATTRIBUTES) equal(await attributes(path), TAG);
    const early = lstat(path);
    await Deno.writeTextFile(path, "changed meanwhile\n");
    const stale = { ...options, look: () => Promise.resolve(early) };
    await rejects(placing.file(path, bytes("x"), { ...stale, mode: {} }), /was changed just now/);
    await rejects(placing.away(path, stale), /was changed just now/);
    equal([left(), await Deno.readTextFile(path)], [["a.txt"], "changed meanwhile\n"]);
    await placing.away(path, options);
    await placing.link(path, "nowhere", options);
    await placing.link(path, ".", options);
    equal([left(), Deno.readLinkSync(path)], [["a.txt"], "."]);
    await placing.away(path, options);
    await placing.dir(path, options);
    equal(left(), ["a.txt"]);
    await rejects(
      placing.file(path, bytes("x"), {
        ...options,
        look: () => Promise.resolve(undefined),
        mode: {},
      }),
      /was changed just now/,
    );
    await processes.close();
  });
});

Deno.test({
  name: "files, directories and removals through the sandbox are as without it",
  ...needs,
}, async () => {
  await withJournal(async ({ workspace, journal, write }) => {
    await write("new/deep/a.txt", "one\n");
    await write("run.sh", "two\n");
    await Deno.chmod(join(workspace, "run.sh"), 0o755);
    await write("run.sh", "three\n");
    equal(await Deno.readTextFile(join(workspace, "new/deep/a.txt")), "one\n");
    equal((Deno.statSync(join(workspace, "run.sh")).mode ?? 0) & 0o777, 0o755, "its mode is kept");
    for (const _ of [1, 2, 3]) ok((await undo(journal)).ok);
    equal([...Deno.readDirSync(workspace)], [], "undo goes the same way, directories included");
  });
});

Deno.test({
  name: "what is held in place is refused with the way out, and nothing is left lying about",
  ...needs,
}, async () => {
  await withJournal(async ({ write, workspace }) => {
    await rejects(
      write(".permissions.json", "[]"),
      /Cannot change ".*\.permissions\.json": it is held in place while a command runs .*end_process/,
    );
    equal(await Deno.readTextFile(join(workspace, ".permissions.json")), "{}\n");
    equal([...Deno.readDirSync(workspace)].map(({ name }) => name), [".permissions.json"]);
  }, ({ workspace }) => Deno.writeTextFile(join(workspace, ".permissions.json"), "{}\n"));
});

Deno.test(
  { name: "a file that is changed after the last look is left as it is", ...needs },
  async () => {
    await withSandbox(async ({ workspace, processes, sandbox }) => {
      const path = join(workspace, "a.txt");
      await Deno.writeTextFile(path, "mine\n");
      const placing = placingInside({ processes, wrap: sandbox.wrap() });
      const look = async () => {
        const seen = await Deno.lstat(path);
        await Deno.writeTextFile(path, "changed meanwhile\n");
        return seen;
      };
      const options = { temp: ".t.tmp", look };
      await rejects(
        placing.file(path, bytes("x"), { ...options, mode: {} }),
        /was changed just now/,
      );
      await rejects(placing.away(path, options), /was changed just now/);
      equal(await Deno.readTextFile(path), "changed meanwhile\n");
      equal([...Deno.readDirSync(workspace)].map(({ name }) => name), ["a.txt"]);
    });
  },
);

Deno.test({
  name: "raced writes and reads have no effect outside and show nothing of it",
  ...needs,
}, async () => {
  await withSandbox(async (inside) => {
    const { written, shown, wrote } = await races(inside, 24);
    equal([written, shown], [0, 0]);
    ok(wrote > 0, "some arrived where they should");
  });
});

Deno.test("openReal() reads no file behind a link that took a directory's place", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.mkdir(join(root, "out"));
    await Deno.writeTextFile(join(root, "out/a"), "secret");
    await Deno.symlink("out", join(root, "in"));
    await rejects(readReal(join(root, "in/a")), /Nothing was read: a directory above/);
    const { file, info } = openReal(join(root, "out/a"));
    file.close();
    match(String(info.size), /^6$/);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test({
  name:
    "without the programs that it takes nothing is written, and the one that is missing is named",
  ignore: Deno.build.os !== "linux",
}, async () => {
  await withFolders(async ({ workspace, home, dir }) => {
    const processes = new Processes({ ...testEnv(home), PATH: dir });
    const path = join(workspace, "f");
    await rejects(
      placingInside({ processes }).file(path, bytes("x"), {
        ...{ mode: {}, temp: ".t", look: () => Promise.resolve(undefined) },
      }),
      /Cannot change ".*f": it takes the program stat, which is not on PATH/,
    );
    await processes.close();
    await rejects(Deno.lstat(path), Deno.errors.NotFound);
  });
});
