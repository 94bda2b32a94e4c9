/** A process that saves rules again and again: `FILE PROJECT NAME COUNT` adds run_cmd(NAME 1) to run_cmd(NAME COUNT). */
import { saveRule } from "@/policy/rule_save.ts";

const [file = "", project = "", name = "", count = "0"] = Deno.args;
for (let n = 1; n <= Number(count); n += 1) {
  const where = n % 2 === 0 ? { project } : {};
  await saveRule(file, { rule: `run_cmd(${name} ${n})`, verdict: "allow", ...where });
}
