import { deepStrictEqual as equal } from "node:assert/strict";
import { judgeInput } from "@/sandbox/stdin_probe.ts";
import { withProcesses } from "../support/processes.ts";

const files = (...links: string[]) =>
  links.map((link) => `lr-x------ 1 0 0 64 Nov 29 23:13 ${link}`).join("\n");
const ours = "0 -> pipe:[7]";

Deno.test("judgeInput() tells by the call and the file", () => {
  const cases: [what: string, text: string, expected: string][] = [
    ["read of our pipe", `call 5 0 0x0 0x1 | pipe_read\nfiles 5\n${files(ours)}`, "reads"],
    [
      "read of a copy of our pipe",
      `call 5 0 0xa 0x1 | pipe_read\nfiles 5\n${files(ours, "10 -> pipe:[7]")}`,
      "reads",
    ],
    ["sleeping", `call 5 230 0x0 0x0 | hrtimer_nanosleep\nfiles 5\n${files(ours)}`, "other"],
    ["busy", `call 5 running | 0\nfiles 5\n${files(ours)}`, "other"],
    ["input from a file", `call 5 0 0x0 0x1 | x\nfiles 5\n${files("0 -> /tmp/x")}`, "other"],
    [
      "the reader of another pipe",
      `call 5 61 0x0 | do_wait\nfiles 5\n${files(ours)}\ncall 6 0 0x0 0x1 | pipe_read\nfiles 6\n` +
      files("0 -> pipe:[8]"),
      "other",
    ],
    [
      "epoll on our pipe",
      `call 5 281 0xe 0x7f | ep_poll\nfiles 5\n${
        files(ours)
      }\n/proc/5/fdinfo/14:tfd:        0 events:  19`,
      "reads",
    ],
    [
      "epoll on a socket",
      `call 5 281 0xe 0x7f | ep_poll\nfiles 5\n${
        files(ours)
      }\n/proc/5/fdinfo/14:tfd:       17 events:  19`,
      "other",
    ],
    ["select on one", `call 5 270 0x1 0x7f | do_select\nfiles 5\n${files(ours)}`, "reads"],
    ["select on more", `call 5 270 0x9 0x7f | do_select\nfiles 5\n${files(ours)}`, "other"],
    ["poll on one", `call 5 7 0x7f 0x1 | do_poll\nfiles 5\n${files(ours)}`, "reads"],
    [
      "poll with a socket",
      `call 5 7 0x7f 0x1 | do_poll\nfiles 5\n${files(ours, "3 -> socket:[9]")}`,
      "other",
    ],
    ["hidden call, pipe", `call 5 - | anon_pipe_read\nfiles 5\n${files(ours)}`, "reads"],
    ["hidden call, nothing known", `call 5 - | -\nfiles 5\n${files(ours)}`, "unknown"],
    ["gone", "", "unknown"],
  ];
  const arch = "x86_64";
  for (const [what, text, expected] of cases) equal(judgeInput(5, text, { arch }), expected, what);
  const reads = `call 5 0 0x0 | x\nfiles 5\n${files(ours)}`;
  equal(judgeInput(5, reads, { arch: "mips" }), "unknown");
});

Deno.test("judgeInput() looks at the terminal of a command that was given one", () => {
  const maker = `call 5 7 0x7f 0x3 | do_poll\nfiles 5\n${files(ours, "3 -> /dev/ptmx")}`;
  const reader = (call: string, file = "0 -> /dev/pts/4") =>
    `${maker}\ncall 6 ${call}\nfiles 6\n${files(file)}`;
  const cases: [what: string, text: string, expected: string][] = [
    ["read", reader("0 0x0 0x1 | wait_woken"), "reads"],
    ["select", reader("270 0x1 0x7f | do_select"), "reads"],
    ["read of /dev/tty", reader("0 0x3 0x1 | wait_woken", "3 -> /dev/tty"), "reads"],
    ["hidden call", reader("- | n_tty_read"), "reads"],
    ["sleeping", reader("230 0x0 0x0 | hrtimer_nanosleep"), "other"],
    ["busy", reader("running | 0"), "other"],
  ];
  const arch = "x86_64";
  for (const [what, text, expected] of cases) {
    equal(judgeInput(5, text, { arch, hasTerminal: true }), expected, what);
    equal(judgeInput(5, text, { arch }), "other", what);
  }
});

const programs: [what: string, program: string, args: string[], expected: string][] = [
  ["cat", "cat", [], "reads"],
  ["bash read", "bash", ["-c", "echo q; read x"], "reads"],
  ["a grandchild", "sh", ["-c", "sh -c 'head -n1; :' ; :"], "reads"],
  ["sleep", "sleep", ["5"], "other"],
  ["a pipeline that waits for itself", "sh", ["-c", "sleep 5 | cat"], "other"],
  ["a busy loop", "sh", ["-c", "while :; do :; done"], "other"],
  ["python input()", "python3", ["-c", "input('q\\n')"], "reads"],
  [
    "python select",
    "python3",
    ["-c", "import select,sys; select.select([sys.stdin],[],[])"],
    "reads",
  ],
  [
    "python poll",
    "python3",
    ["-c", "import select; p=select.poll(); p.register(0); p.poll()"],
    "reads",
  ],
  ["python socket", "python3", [
    "-c",
    "import socket; s=socket.socket(); s.bind(('127.0.0.1',0)); s.listen(); s.accept()",
  ], "other"],
  ["node readline", "node", [
    "-e",
    "require('readline').createInterface({input:process.stdin}).question('q\\n',()=>{})",
  ], "reads"],
  ["node server", "node", ["-e", "require('http').createServer().listen(0,'127.0.0.1')"], "other"],
];

for (const [what, program, args, expected] of programs) {
  Deno.test({
    name: `probe() sees that ${what} is "${expected}"`,
    ignore: Deno.build.os !== "linux",
  }, async () => {
    await withProcesses(async (processes) => {
      if (await processes.find(program) === undefined) return;
      const running = processes.start({ program, args, cwd: "/", stdin: "pipe" });
      let input = "";
      // A program needs a moment to get where it waits; an answer that stays is the answer.
      for (let round = 0; round < 40; round += 1) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        ({ input } = await running.probe());
        if (input === expected && (expected === "reads" || round >= 5)) break;
      }
      equal(input, expected);
      await running.kill();
    });
  });
}
