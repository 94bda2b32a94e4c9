import { deepStrictEqual as equal, match, rejects } from "node:assert/strict";
import { join } from "node:path";
import { type Memory, memorySection, MemoryStore, preview } from "@/memory/store.ts";
import { withWorkspace } from "../support/workspace.ts";

const NOW = new Date("2026-11-30T00:00:00.000Z");

function withStore(body: (store: MemoryStore, path: string) => Promise<void>): Promise<void> {
  return withWorkspace((dir) => {
    const path = join(dir, "memory.json");
    return body(new MemoryStore(path, () => NOW), path);
  });
}

const note = (id: string, content: string, important = false) => ({ id, content, important });

Deno.test("what is written is there, dated, for the person alone", () =>
  withStore(async (store, path) => {
    equal(await store.list(), []);
    equal(await store.write(note("name", "Mina", true)), { kind: "written" });
    equal(await store.write(note("__proto__", "odd")), { kind: "written" });
    equal(await store.list(), [
      { ...note("name", "Mina", true), at: NOW.toISOString() },
      { ...note("__proto__", "odd"), at: NOW.toISOString() },
    ]);
    equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
  }));

Deno.test("write() leaves an entry with another content alone and hands it back", () =>
  withStore(async (store) => {
    await store.write(note("name", "Mina"));
    const taken = await store.write(note("name", "Jun"));
    equal(taken.kind === "taken" && taken.memory.content, "Mina");
    equal(await store.write(note("name", "Mina", true)), { kind: "written" });
    equal((await store.find("name"))?.important, true);
  }));

Deno.test("edit() and remove() change that entry only, and keep what somebody else wrote beside it", () =>
  withStore(async (store, path) => {
    const file = { a: { content: "1", important: true, tags: ["x"] }, b: "plain", c: { odd: 1 } };
    await Deno.writeTextFile(path, JSON.stringify(file));
    equal((await store.list()).map(({ id }) => id), ["a", "b"]);
    equal(await store.edit("a", "2"), true);
    equal(await store.edit("b", "3"), true);
    equal(await store.edit("toString", "x"), false);
    equal(await store.remove("nope"), undefined);
    equal(await store.remove("b"), "3");
    equal(JSON.parse(await Deno.readTextFile(path)), {
      a: { content: "2", important: true, tags: ["x"], updated_at: NOW.toISOString() },
      c: { odd: 1 },
    });
  }));

Deno.test("no change of several writers at once is lost", () =>
  withStore(async (store, path) => {
    const writes = Array.from({ length: 12 }, (_, at) =>
      new MemoryStore(path).write(note(`m${at}`, "x")));
    await Promise.all(writes);
    equal((await store.list()).length, 12);
  }));

Deno.test("a damaged file is told and stays as it is", () =>
  withStore(async (store, path) => {
    await Deno.writeTextFile(path, '{"a": ');
    await rejects(
      store.list(),
      /Cannot read the memories in ".*memory\.json": it is not valid JSON/,
    );
    await rejects(store.write(note("b", "x")), /it is damaged/);
    equal(await Deno.readTextFile(path), '{"a": ');
  }));

const memory = (id: string, content: string, important = true): Memory => ({
  ...note(id, content, important),
  at: "",
});

Deno.test("memorySection() shows the important ones within its budget, and says that there are others", () => {
  equal(memorySection([]), "");
  match(memorySection([memory("a", "x", false)]), /^There are memories .* get_memory_list/);
  equal(memorySection([memory("a", "one\n two")]).split("\n").slice(1), ["- a: one two"]);
  const many = Array.from({ length: 30 }, (_, at) => memory(`m${at}`, "y".repeat(2_000)));
  const section = memorySection(many);
  equal(section.match(/^- m\d+/gm)?.length, 20);
  equal(section.length < 20 * 620 + 200, true);
  match(section, /There are memories .* get_memory_list/);
});

Deno.test("preview() is the beginning in one line", () => {
  equal(preview(memory("a", `a\nb ${"가".repeat(80)}`)), `a b ${"가".repeat(46)}…`);
});
