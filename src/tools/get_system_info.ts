/** Show what the machine is and how busy it is. */
import { basename } from "@/lib/path.ts";
import * as z from "zod";
import type { ToolSpec } from "@/protocol/tool.ts";
import type { Processes } from "@/sandbox/processes.ts";
import { type Part, readSystemInfo, type SystemInfo } from "@/sandbox/system_info.ts";
import { defineTool, ok } from "./spec.ts";

export const getSystemInfo = (processes: Processes): ToolSpec =>
  defineTool({
    name: "get_system_info",
    description:
      "Show operating system, CPU load, memory, disk space, and the processes that use most memory.",
    input: z.object({}),
    effect: () => "reads",
    subject: () => ({ kind: "none" }),
    summary: (_, result) =>
      result?.status === "ok" ? "looked at the machine" : "look at the machine",
    async run(_, { workspace, signal }) {
      const info = await readSystemInfo(processes, { directory: workspace, signal });
      return ok(infoText(info));
    },
  });

function infoText({ system, cpu, memory, disk, top }: SystemInfo): string {
  return [
    line(
      "System",
      system,
      ({ name, release, arch, uptimeS }) =>
        `${name} ${release} (${arch}), up for ${duration(uptimeS)}`,
    ),
    line(
      "CPU",
      cpu,
      ({ cores, model, busyPercent, load }) =>
        `${busyPercent} % busy, ${cores} cores${model === "" ? "" : ` (${model})`}` +
        (load.length === 0 ? "" : `, load ${load.map((one) => one.toFixed(2)).join(" ")}`),
    ),
    line(
      "Memory",
      memory,
      ({ totalBytes, availableBytes }) =>
        `${size(totalBytes - availableBytes)} of ${size(totalBytes)} used, ${
          size(availableBytes)
        } available`,
    ),
    line(
      "Disk of the workspace",
      disk,
      ({ totalBytes, freeBytes }) => `${size(freeBytes)} of ${size(totalBytes)} free`,
    ),
    line(
      "Most memory",
      top,
      (uses) =>
        uses.map(({ pid, name, bytes }) => `\n  ${basename(name)} (pid ${pid}): ${size(bytes)}`)
          .join(""),
    ),
  ].join("\n");
}

function line<T>(title: string, part: Part<T>, text: (value: T) => string): string {
  const said = part.ok ? text(part.value) : `not available (${part.problem})`;
  return `${title}:${said.startsWith("\n") ? "" : " "}${said}`;
}

function size(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`;
}

function duration(seconds: number): string {
  const [days, hours, minutes] = [seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60].map(
    Math.floor,
  );
  if (days) return `${days} d ${hours} h`;
  return hours ? `${hours} h ${minutes} min` : `${minutes} min`;
}
