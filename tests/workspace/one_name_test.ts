import { deepStrictEqual as equal } from "node:assert/strict";
import { announceNames, announceOwner } from "@/workspace/one_name.ts";
import { withTree } from "./journal_tree.ts";

Deno.test("announceNames() and announceOwner() say what another file in the place of one cannot keep", async () => {
  await withTree((tree) => {
    const path = tree.put("a.txt", "one\n");
    const info = Deno.lstatSync(path);
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    const told = (changed: Partial<Deno.FileInfo>) => {
      const replaced = { path, rel: "a.txt", info: { ...info, ...changed } };
      announceNames(replaced, say);
      announceOwner(replaced, say);
      return said.splice(0).map((line) => line.split(/[:;] /)[0]);
    };
    const { uid, gid } = info;
    equal(told({}), []);
    equal(told({ nlink: 3 }), [
      "a.txt has 2 other names (hard links), where everything stays as it is",
    ]);
    equal(told({ uid: 61_234 }), [
      `a.txt belonged to user 61234 and belongs to user ${uid} now`,
    ]);
    equal(told({ gid: 61_234 }), [
      `a.txt belonged to group 61234 and belongs to group ${gid} now, which has no more rights in it than everybody`,
    ]);
    return Promise.resolve();
  });
});
