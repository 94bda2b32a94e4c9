/** A process that changes one setting again and again: `FILE NAME COUNT` sets it to 1, 2, … COUNT. */
import { loadSettings } from "@/settings/store.ts";

const [file = "", name = "", count = "0"] = Deno.args;
const { store } = await loadSettings({ file });
for (let n = 1; n <= Number(count); n += 1) await store.set(name, String(n));
