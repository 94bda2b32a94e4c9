import { deepStrictEqual as equal, match, rejects, throws } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PersonError } from "@/protocol/error.ts";
import { DEFAULT_SETTINGS } from "@/settings/settings.ts";
import { loadSettings } from "@/settings/store.ts";
import { withWorkspace } from "../support/workspace.ts";

async function withFile(
  content: string | undefined,
  body: (file: string) => Promise<void>,
): Promise<void> {
  await withWorkspace(async (dir) => {
    const file = join(dir, "settings.json");
    if (content !== undefined) await Deno.writeTextFile(file, content);
    await body(file);
  });
}

async function stored(file: string): Promise<unknown> {
  return JSON.parse(await Deno.readTextFile(file));
}

Deno.test("loadSettings() without a file gives the defaults and writes nothing", async () => {
  await withFile(undefined, async (file) => {
    const { store, notices } = await loadSettings({ file });
    equal([store.current, notices], [DEFAULT_SETTINGS, []]);
    await rejects(Deno.stat(file), Deno.errors.NotFound);
  });
});

Deno.test("loadSettings() puts flags over the file and the file over the defaults, and knows which", async () => {
  await withFile('{"NUM_CTX": 1000, "VM_TIMEOUT": 45, "CMD_TIMEOUT": 120}', async (file) => {
    const overrides = { num_ctx: "2000", SHOW_THINKING: "on", VM_TIMEOUT: "default" };
    const { store, notices } = await loadSettings({ file, overrides });
    equal(notices, []);
    equal(store.current, { ...DEFAULT_SETTINGS, NUM_CTX: 2000, SHOW_THINKING: true });
    equal(
      (["NUM_CTX", "SHOW_THINKING", "VM_TIMEOUT", "CMD_TIMEOUT"] as const).map((name) =>
        store.origin(name)
      ),
      ["flag", "flag", "flag", "default"],
    );
    equal((await loadSettings({ file })).store.origin("NUM_CTX"), "file");
  });
});

Deno.test("loadSettings() refuses a flag that cannot be used, as wrong usage", async () => {
  await withFile(undefined, async (file) => {
    for (
      const [name, text, message] of [
        ["NUM_CTX", "lots", 'Cannot set NUM_CTX to "lots": it takes a whole number, 0 or more'],
        ["NUM_CTT", "1", 'No setting is named "NUM_CTT"; did you mean NUM_CTX?'],
      ] as const
    ) {
      await rejects(loadSettings({ file, overrides: { [name]: text } }), (error) => {
        equal(error instanceof PersonError && error.kind, "usage");
        match(String(error), new RegExp(message.replace("?", "\\?")));
        return true;
      });
    }
  });
});

Deno.test("loadSettings() ignores a file that cannot be understood whole, says so, and leaves it", async () => {
  for (const content of ['{"NUM_CTX": 1000', "[1]", '"text"', "null", "", "{'NUM_CTX': 1}"]) {
    await withFile(content, async (file) => {
      const { store, notices } = await loadSettings({ file });
      equal(store.current, DEFAULT_SETTINGS);
      equal(notices.length, 1);
      match(
        notices[0] ?? "",
        /^All settings are at their defaults: ".*" cannot be used \(.+\); it is left as it is$/,
      );
      equal(await Deno.readTextFile(file), content);
    });
  }
});

Deno.test("loadSettings() takes a directory in place of the file for no settings", async () => {
  await withFile(undefined, async (file) => {
    await Deno.mkdir(file);
    const { store, notices } = await loadSettings({ file });
    equal(store.current, DEFAULT_SETTINGS);
    match(notices[0] ?? "", /cannot be used \(a directory is there\)/);
  });
});

Deno.test("loadSettings() skips each bad entry alone and names it", async () => {
  const entries = {
    VM_TIMEOUT: 45,
    GONE: 1,
    NUM_CTX: "lots",
    MODEL: "other",
    cmd_timeout: 5,
    ["__proto__"]: 3,
  };
  await withFile(JSON.stringify(entries), async (file) => {
    const { store, notices } = await loadSettings({ file });
    equal(store.current, { ...DEFAULT_SETTINGS, VM_TIMEOUT: 45 });
    const suffix = `; the entry in "${file}" is ignored`;
    equal(
      notices,
      [
        `No setting is named "GONE"; /set lists them all${suffix}`,
        `NUM_CTX takes a whole number, 0 or more, not "lots"${suffix}`,
        "MODEL is not changed as a setting: /model and /connect choose the model, and -m does for " +
        `one run${suffix}`,
        `Settings are written in capitals: "cmd_timeout" is CMD_TIMEOUT${suffix}`,
        `No setting is named "__proto__"; /set lists them all${suffix}`,
      ].filter((notice) => !notice.includes("__proto__") || Object.hasOwn(entries, "__proto__")),
    );
  });
});

Deno.test("loadSettings() names only the first few of very many bad entries", async () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`NOPE_${at}`, at]));
  await withFile(JSON.stringify(many), async (file) => {
    const { notices } = await loadSettings({ file });
    equal(notices.length, 6);
    match(notices.at(-1) ?? "", /and 4995 more/);
  });
});

Deno.test("set() changes the session and keeps deviations only", async () => {
  await withFile(undefined, async (file) => {
    const { store } = await loadSettings({ file });
    equal(await store.set("num_ctx", "32768"), {
      name: "NUM_CTX",
      before: 65536,
      value: 32768,
      notices: [],
    });
    equal([store.current.NUM_CTX, store.origin("NUM_CTX")], [32768, "file"]);
    await store.set("MCP_TRUSTED_SERVERS", "github, files");
    await store.set("VM_TIMEOUT", "20");
    equal(await stored(file), { NUM_CTX: 32768, MCP_TRUSTED_SERVERS: ["github", "files"] });
    await store.set("NUM_CTX", "default");
    equal(await stored(file), { MCP_TRUSTED_SERVERS: ["github", "files"] });
    equal([store.current.NUM_CTX, store.origin("NUM_CTX")], [65536, "default"]);
    const { store: next } = await loadSettings({ file });
    equal(next.current, { ...DEFAULT_SETTINGS, MCP_TRUSTED_SERVERS: ["github", "files"] });
  });
});

Deno.test("set() keeps what this version does not know, and drops what became the default", async () => {
  await withFile(
    '{"FUTURE": {"deep": [1]}, "NUM_CTX": "lots", "CMD_TIMEOUT": 120}',
    async (file) => {
      const { store } = await loadSettings({ file });
      await store.set("VM_TIMEOUT", "60");
      equal(await stored(file), { FUTURE: { deep: [1] }, NUM_CTX: "lots", VM_TIMEOUT: 60 });
      await store.set("NUM_CTX", "1000");
      equal(await stored(file), { FUTURE: { deep: [1] }, NUM_CTX: 1000, VM_TIMEOUT: 60 });
    },
  );
});

Deno.test("set() refuses what cannot be used and changes nothing", async () => {
  await withFile('{"NUM_CTX": 1000}', async (file) => {
    const { store } = await loadSettings({ file });
    await rejects(store.set("NUM_CTX", "-5"), /Cannot set NUM_CTX to "-5"/);
    await rejects(store.set("NOPE", "5"), /No setting is named "NOPE"/);
    equal(store.current, { ...DEFAULT_SETTINGS, NUM_CTX: 1000 });
    equal(await stored(file), { NUM_CTX: 1000 });
  });
});

Deno.test("set() sets a damaged file aside, says where, and begins a new one", async () => {
  await withFile('{"NUM_CTX": 1000,,', async (file) => {
    const { store } = await loadSettings({ file });
    const { notices } = await store.set("VM_TIMEOUT", "60");
    equal(await stored(file), { VM_TIMEOUT: 60 });
    const kept = /it is kept as "([^"]+)"/.exec(notices[0] ?? "")?.[1] ?? "";
    equal(await Deno.readTextFile(kept), '{"NUM_CTX": 1000,,');
  });
});

Deno.test("set() holds for the session when the file cannot be written, and says so", async () => {
  await withFile(undefined, async (file) => {
    const { store } = await loadSettings({ file });
    await Deno.mkdir(file);
    await rejects(store.set("NUM_CTX", "1000"), {
      name: "PersonError",
      message:
        /^NUM_CTX is now 1000 for this session, but cannot be saved: .*\(a directory is there\)/,
    });
    equal([store.current.NUM_CTX, store.origin("NUM_CTX")], [1000, "session"]);
  });
});

Deno.test("setForSession() changes no file", async () => {
  await withFile('{"NUM_CTX": 1000}', async (file) => {
    const { store } = await loadSettings({ file });
    store.setForSession("AUTO_ALLOW", true);
    store.setForSession("NUM_CTX", 65536);
    equal([store.current.AUTO_ALLOW, store.current.NUM_CTX], [true, 65536]);
    equal(store.origin("NUM_CTX"), "session");
    equal(await stored(file), { NUM_CTX: 1000 });
    throws(() => store.setForSession("NUM_CTX", "many"), TypeError);
  });
});

Deno.test("rows() lists every setting as it would be typed", async () => {
  await withFile('{"VM_TIMEOUT": 45}', async (file) => {
    const { store } = await loadSettings({ file, overrides: { SHOW_THINKING: "on" } });
    const rows = store.rows();
    equal(rows.map(({ name }) => name), Object.keys(DEFAULT_SETTINGS));
    equal(
      rows.filter(({ isChanged }) => isChanged).map(({ name, value, byDefault, origin }) => ({
        name,
        value,
        byDefault,
        origin,
      })),
      [
        { name: "SHOW_THINKING", value: "on", byDefault: "off", origin: "flag" },
        { name: "VM_TIMEOUT", value: "45", byDefault: "20", origin: "file" },
      ],
    );
  });
});

const CHILD = fileURLToPath(new URL("../support/settings_child.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));

Deno.test("set() loses no change of two processes that write 200 each", async () => {
  await withFile('{"KEPT": true}', async (file) => {
    const change = async (name: string) => {
      const grants = ["--no-prompt", "-R", "-W", "-E", "-S"];
      const args = ["run", "-q", "--config", CONFIG, ...grants, CHILD, file, name, "200"];
      const { success } = await new Deno.Command(Deno.execPath(), { args, stderr: "inherit" })
        .output();
      equal(success, true);
    };
    let seen: unknown;
    let isRunning = true;
    const watch = async () => {
      while (isRunning) {
        seen = await stored(file); // Throws when it is ever half a file.
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    };
    const watching = watch();
    await Promise.all([change("NUM_CTX"), change("VM_TIMEOUT")]);
    isRunning = false;
    await watching;
    equal(typeof seen, "object");
    equal(await stored(file), { KEPT: true, NUM_CTX: 200, VM_TIMEOUT: 200 });
  });
});
