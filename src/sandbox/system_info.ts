/**
 * What the machine is and how busy it is. Deno may not read `/proc`, so small helper programs read it; what one system
 * does not have is said for that part, and the others stand.
 */
import type { Processes } from "@/sandbox/processes.ts";

/** Over which time the CPU is watched, in milliseconds. */
const CPU_SAMPLE_MS = 500;

const HELPER_TIMEOUT_MS = 5_000;
const TOP_MAX = 5;

/** One line about the machine, or why there is none. */
export type Part<T> = { ok: true; value: T } | { ok: false; problem: string };

export type Memory = { totalBytes: number; availableBytes: number };
export type Disk = { totalBytes: number; freeBytes: number };
export type Cpu = { cores: number; model: string; busyPercent: number; load: readonly number[] };
export type ProcessUse = { pid: number; name: string; bytes: number };

/** The parts, each by itself. */
export type SystemInfo = {
  system: Part<{ name: string; release: string; arch: string; uptimeS: number }>;
  cpu: Part<Cpu>;
  memory: Part<Memory>;
  disk: Part<Disk>;
  top: Part<readonly ProcessUse[]>;
};

/** Looks at the machine and, for the disk, at a directory. Takes half a second. Throws the signal's reason only. */
export async function readSystemInfo(
  processes: Processes,
  { directory, signal }: { directory: string; signal: AbortSignal },
): Promise<SystemInfo> {
  const helper = async (program: string, args: readonly string[]) => {
    const limits = { signal, timeoutMs: HELPER_TIMEOUT_MS, outputBytesMax: 8 * 1024 * 1024 };
    const finished = await processes.run({ program, args, cwd: directory }, limits);
    if (finished.ended === "timed_out") throw new Error(`${program} did not answer in time`);
    return finished.stdout.text();
  };
  const [system, cpu, memory, disk, top] = await Promise.all([
    part(async () => ({
      name: Deno.build.os,
      release: Deno.osRelease(),
      arch: Deno.build.arch,
      uptimeS: Deno.osUptime(),
    })),
    part(() => readCpu(signal)),
    part(async () => {
      const { total, available, free } = Deno.systemMemoryInfo();
      return { totalBytes: total, availableBytes: available || free };
    }),
    part(() => readDisk(helper)),
    part(() => readTop(helper)),
  ]);
  signal.throwIfAborted();
  return { system, cpu, memory, disk, top };
}

type Helper = (program: string, args: readonly string[]) => Promise<string>;

/** Whatever goes wrong with one part, the others are still an answer; what it was is shown. */
async function part<T>(read: () => Promise<T>): Promise<Part<T>> {
  try {
    return { ok: true, value: await read() };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

async function readCpu(signal: AbortSignal): Promise<Cpu> {
  const { cpus } = await import("node:os");
  const before = cpus();
  await pause(CPU_SAMPLE_MS, signal);
  const after = cpus();
  const [first, second] = [busyAndAll(before), busyAndAll(after)];
  const all = second.all - first.all;
  return {
    cores: after.length,
    model: after[0]?.model.trim() ?? "",
    busyPercent: all > 0 ? Math.round(100 * (second.busy - first.busy) / all) : 0,
    load: Deno.build.os === "windows" ? [] : Deno.loadavg(),
  };
}

type CpuTimes = { times: { user: number; nice: number; sys: number; idle: number; irq: number } };

function busyAndAll(cores: readonly CpuTimes[]): { busy: number; all: number } {
  let [busy, all] = [0, 0];
  for (const { times: { user, nice, sys, idle, irq } } of cores) {
    busy += user + nice + sys + irq;
    all += user + nice + sys + irq + idle;
  }
  return { busy, all };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const stop = () => resolve();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  await promise;
  clearTimeout(timer);
  signal.removeEventListener("abort", stop);
}

async function readDisk(helper: Helper): Promise<Disk> {
  if (Deno.build.os === "windows") {
    const script = "Get-PSDrive (Get-Location).Drive.Name | ForEach-Object { $_.Used, $_.Free }";
    const [used = NaN, free = NaN] = (await powershell(helper, script)).split(/\s+/).map(Number);
    return checked({ totalBytes: used + free, freeBytes: free });
  }
  return parseDf(await helper("df", ["-Pk", "."]));
}

/** Parses `df -Pk`: of the last line, the numbers before the percentage. A device's name may hold blanks. */
export function parseDf(text: string): Disk {
  const numbers = /\s(\d+)\s+(\d+)\s+(-?\d+)\s+\d+%/.exec(text.trim().split("\n").at(-1) ?? "");
  const kilobytes = (at: number) => Number(numbers?.[at] ?? NaN) * 1024;
  return checked({ totalBytes: kilobytes(1), freeBytes: kilobytes(3) });
}

function checked(disk: Disk): Disk {
  if (Number.isFinite(disk.totalBytes + disk.freeBytes)) return disk;
  throw new Error("the answer could not be read");
}

async function readTop(helper: Helper): Promise<ProcessUse[]> {
  switch (Deno.build.os) {
    case "windows": {
      const script = "Get-Process | Sort-Object WS -Descending | Select-Object -First 5 | " +
        'ForEach-Object { "$($_.WS / 1KB) $($_.Id) $($_.ProcessName)" }';
      return topOf(parsePs(await powershell(helper, script)));
    }
    case "linux": {
      // One program for all processes; the shell only spells out the names.
      const script = "grep -aE '^(Name|VmRSS):' /proc/[0-9]*/status 2>/dev/null; exit 0";
      return topOf(parseStatus(await helper("sh", ["-c", script])));
    }
    default:
      return topOf(parsePs(await helper("ps", ["-axo", "rss=,pid=,comm="])));
  }
}

async function powershell(helper: Helper, script: string): Promise<string> {
  return await helper("powershell.exe", ["-NoProfile", "-NonInteractive", "-Command", script]);
}

function topOf(all: ProcessUse[]): ProcessUse[] {
  if (all.length === 0) throw new Error("the answer could not be read");
  return all.sort((a, b) => b.bytes - a.bytes).slice(0, TOP_MAX);
}

/** Parses `path:Name:` and `path:VmRSS:` lines; what has no resident memory is no program. */
export function parseStatus(text: string): ProcessUse[] {
  const all = new Map<string, ProcessUse>();
  for (
    const [, pid = "", key, value = ""] of text.matchAll(/^\/proc\/(\d+)\/status:(\w+):\s*(.*)$/gm)
  ) {
    const use = all.get(pid) ?? { pid: Number(pid), name: "", bytes: 0 };
    if (key === "Name") use.name = value;
    if (key === "VmRSS") use.bytes = parseInt(value) * 1024;
    all.set(pid, use);
  }
  return [...all.values()].filter(({ bytes }) => bytes > 0);
}

/** Parses lines `kilobytes pid name`. */
export function parsePs(text: string): ProcessUse[] {
  return [...text.matchAll(/^[ \t]*(\d+)(?:[.,]\d+)?\s+(\d+)\s+(.+)$/gm)].map((
    [, kilobytes, pid, name = ""],
  ) => ({ pid: Number(pid), name: name.trim(), bytes: Number(kilobytes) * 1024 }));
}
