import { match, ok } from "node:assert/strict";
import { getSystemInfo } from "@/tools/get_system_info.ts";
import { withProcesses } from "../support/processes.ts";
import { callTool, testHost } from "../support/tool_host.ts";

Deno.test("get_system_info tells about every part of the machine", async () => {
  await withProcesses(async (processes) => {
    const { status, text } = await callTool(getSystemInfo(processes), {}, testHost("/"));
    ok(status === "ok");
    match(text, /^System: \w+ \S+ \(\w+\), up for .*\nCPU: \d+ % busy, \d+ cores/);
    match(text, /\nMemory: \d.* of \d.* used, \d.* available\nDisk of the workspace: \d.* free\n/);
    match(text, /\nMost memory:(\n {2}\S.* \(pid \d+\): \d+(\.\d)? [GM]B){5}$/);
  });
});

Deno.test("get_system_info says what is not available", async () => {
  await withProcesses(async (processes) => {
    const { text } = await callTool(getSystemInfo(processes), {}, testHost("/"));
    match(
      text,
      /Disk of the workspace: not available \(Cannot start "df": no program of that name/,
    );
    match(text, /\nMemory: \d/);
  }, { PATH: "/nonexistent" });
});
