#!/usr/bin/env node
// Starts harness by the Deno that the package "deno" brought. There is no install script: that Deno is looked for here.
"use strict";
const { spawn } = require("node:child_process");
const { join } = require("node:path");

const root = join(__dirname, "..");
const [file, args, env] = process.platform === "win32" ? direct() : byShell();

// No Node stays behind where it can replace itself.
if (typeof process.execve === "function" && process.platform !== "win32") {
  process.execve(file, ["sh", ...args], env);
}
const child = spawn(file, args, { stdio: "inherit", env });
child.on("error", (error) => fail(`${file} cannot be started: ${error.message}`));
// Whatever the terminal sends reaches the child too; what another program sends reaches this process alone.
const inTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) {
  const isKey = signal === "SIGINT" || signal === "SIGQUIT";
  process.on(signal, () => isKey && inTerminal ? undefined : child.kill(signal));
}
child.on("exit", (code, signal) => {
  if (signal === null) return process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});

/** The shell script finds where harness may write, and then is Deno. */
function byShell() {
  return ["/bin/sh", [join(root, "start.sh"), root, deno(), ...process.argv.slice(2)], process.env];
}

/** There is no shell to count on. */
function direct() {
  const { setAside, prefix, ours, flags } = require("../start.json");
  const env = { ...process.env };
  for (const name of setAside) {
    if (env[name]) env[prefix + name] = env[name];
    delete env[name];
  }
  const guard = root.includes(",") ? [] : [`--deny-write=${root}`];
  const main = join(root, "app", "main.js");
  const given = process.argv.slice(2);
  return [
    deno(),
    ["run", ...flags, "--allow-write", ...guard, main, ...given],
    { ...env, ...ours },
  ];
}

function deno() {
  try {
    return require("deno/install_api.cjs").runInstall();
  } catch (error) {
    fail(
      `the runtime that belongs to it was not found: ${error.message.split("\n")[0]}\n` +
        'It is an optional dependency of the npm package "deno", for Linux with glibc, macOS and Windows. ' +
        "Install harness again, without --omit=optional",
    );
  }
}

function fail(why) {
  process.stderr.write(`harness: cannot start: ${why}\n`);
  process.exit(1);
}
