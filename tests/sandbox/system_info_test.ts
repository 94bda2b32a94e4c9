import { deepStrictEqual as equal, ok, rejects, throws } from "node:assert/strict";
import { parseDf, parsePs, parseStatus, readSystemInfo } from "@/sandbox/system_info.ts";
import { withProcesses } from "../support/processes.ts";

const signal = new AbortController().signal;

Deno.test("parseDf() reads sizes, whatever the device is called", () => {
  const header = "Filesystem 1024-blocks Used Available Capacity Mounted on\n";
  const expected = { totalBytes: 1000 * 1024, freeBytes: 300 * 1024 };
  equal(parseDf(`${header}/dev/a   1000  700  300  70% /mnt/a b\n`), expected);
  equal(parseDf(`${header}map auto_home 1000 700 300 70% /home\n`), expected);
  throws(() => parseDf("df: nothing here\n"), /could not be read/);
});

Deno.test("parseStatus() and parsePs() read names with blanks, without what has no memory", () => {
  const text =
    "/proc/7/status:Name:\ta b\n/proc/7/status:Pid:\t7\n/proc/7/status:VmRSS:\t   12 kB\n" +
    "/proc/2/status:Name:\tkthreadd\n/proc/2/status:Pid:\t2\n";
  equal(parseStatus(text), [{ pid: 7, name: "a b", bytes: 12_288 }]);
  equal(parsePs("  12  7 /Applications/A B\n 3.5 8 x\nnoise\n"), [
    { pid: 7, name: "/Applications/A B", bytes: 12_288 },
    { pid: 8, name: "x", bytes: 3_072 },
  ]);
});

Deno.test("readSystemInfo() knows the machine", async () => {
  await withProcesses(async (processes) => {
    const started = performance.now();
    const { system, cpu, memory, disk, top } = await readSystemInfo(processes, {
      ...{ directory: "/", signal },
    });
    ok(performance.now() - started >= 450, "the CPU was watched");
    ok(system.ok && system.value.name === Deno.build.os);
    ok(cpu.ok && cpu.value.cores > 0 && cpu.value.busyPercent >= 0 && cpu.value.busyPercent <= 100);
    ok(memory.ok && memory.value.totalBytes > memory.value.availableBytes);
    ok(disk.ok && disk.value.totalBytes > disk.value.freeBytes && disk.value.freeBytes > 0);
    ok(top.ok && top.value.length === 5);
    const sizes = top.value.map(({ bytes }) => bytes);
    equal(sizes, sizes.toSorted((a, b) => b - a));
  });
});

Deno.test("readSystemInfo() gives the other parts when helpers are missing", async () => {
  await withProcesses(async (processes) => {
    const { cpu, memory, disk, top } = await readSystemInfo(processes, { directory: "/", signal });
    equal([cpu.ok, memory.ok], [true, true]);
    equal(disk, { ok: false, problem: 'Cannot start "df": no program of that name on PATH' });
    ok(!top.ok);
  }, { PATH: "/nonexistent" });
});

Deno.test("readSystemInfo() stops when it is interrupted", async () => {
  await withProcesses(async (processes) => {
    const options = { directory: "/", signal: AbortSignal.timeout(50) };
    await rejects(readSystemInfo(processes, options), { name: "TimeoutError" });
  });
});
