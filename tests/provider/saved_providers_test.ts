import { deepStrictEqual as equal, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { forgetKey, readSavedProviders, saveProvider } from "@/provider/saved_providers.ts";
import { withWorkspace } from "../support/workspace.ts";

Deno.test("saveProvider() keeps a key where only its owner can read it, and what it does not know", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "home", "providers.json");
    await saveProvider(path, { name: "anthropic", patch: { api_key: "k1", model: "m1" } });
    const mode = (await Deno.stat(path)).mode ?? 0;
    equal(mode & 0o777, 0o600);
    const file = JSON.parse(await Deno.readTextFile(path));
    file.theirs = 1;
    file.providers.anthropic.note = "work";
    await Deno.writeTextFile(path, JSON.stringify(file));
    await saveProvider(path, { name: "openai", patch: { base_url: "http://127.0.0.1:8000/v1" } });
    equal(JSON.parse(await Deno.readTextFile(path)), {
      theirs: 1,
      active: "openai",
      providers: {
        anthropic: { api_key: "k1", model: "m1", note: "work" },
        openai: { base_url: "http://127.0.0.1:8000/v1" },
      },
    });
    equal((await Deno.stat(path)).mode ?? 0, mode);
  });
});

Deno.test("forgetKey() takes only the key out", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "providers.json");
    await saveProvider(path, { name: "anthropic", patch: { api_key: "k1", model: "m1" } });
    equal(await forgetKey(path, "anthropic"), true);
    equal((await readSavedProviders(path)).saved.providers.anthropic, { model: "m1" });
    ok(!(await Deno.readTextFile(path)).includes("k1"));
    equal(await forgetKey(path, "anthropic"), false);
    equal(await forgetKey(path, "nobody"), false);
  });
});

Deno.test("readSavedProviders() reads a missing file as empty and a damaged one too, without quoting it", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "providers.json");
    equal(await readSavedProviders(path), { saved: { providers: {} } });
    await Deno.writeTextFile(path, '{"providers": {"anthropic": {"api_key": "sesame"}');
    const { saved, damaged } = await readSavedProviders(path);
    equal(saved, { providers: {} });
    ok(damaged !== undefined && !damaged.includes("sesame"), damaged);
  });
});

Deno.test("saveProvider() changes nothing in a damaged file unless it may set it aside", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "providers.json");
    await Deno.writeTextFile(path, "{");
    await rejects(saveProvider(path, { name: "openai", patch: { api_key: "k" } }), /damaged/);
    equal(await Deno.readTextFile(path), "{");
    let keptAs = "";
    const onDamaged = (file: { keptAs: string }) => keptAs = file.keptAs;
    await saveProvider(path, { name: "openai", patch: { api_key: "k" } }, { onDamaged });
    equal(await Deno.readTextFile(keptAs), "{");
  });
});

Deno.test("saveProvider() loses no change of two that write at once", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "providers.json");
    await Promise.all(
      Array.from(
        { length: 30 },
        (_, at) => saveProvider(path, { name: `p${at}`, patch: { api_key: `k${at}` } }),
      ),
    );
    const { saved } = await readSavedProviders(path);
    equal(Object.keys(saved.providers).length, 30);
  });
});
