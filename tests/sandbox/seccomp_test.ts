import { deepStrictEqual as equal } from "node:assert/strict";
import { seccompProgram } from "@/sandbox/seccomp.ts";
import { ABSENT, LOOKED_AT, type Machine, numberOn, REFUSED } from "@/sandbox/syscalls.ts";
import { textIfThere } from "../support/text_if_there.ts";

const MACHINES: readonly Machine[] = ["x86_64", "aarch64"];
const ARCHITECTURE = { x86_64: 0xc000003e, aarch64: 0xc00000b7 } as const;

const ALLOW = "allow";
const ERRNO: Readonly<Record<number, string>> = { 1: "EPERM", 38: "ENOSYS", 97: "EAFNOSUPPORT" };

type Call = { machine: Machine; number: number; args?: readonly number[]; architecture?: number };

/** What the kernel would do with a call: runs the program as the kernel's own interpreter does. */
function verdict({ machine, number, args = [], architecture }: Call): string {
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, number, true);
  data.setUint32(4, architecture ?? ARCHITECTURE[machine], true);
  args.forEach((value, index) => data.setBigUint64(16 + 8 * index, BigInt(value), true));
  const program = new DataView(seccompProgram(machine).buffer);
  let accumulator = 0;
  for (let at = 0, steps = 0; steps < 1_000; at += 1, steps += 1) {
    const constant = program.getUint32(at * 8 + 4, true);
    const [yes, no] = [program.getUint8(at * 8 + 2), program.getUint8(at * 8 + 3)];
    switch (program.getUint16(at * 8, true)) {
      case 0x20:
        accumulator = data.getUint32(constant, true);
        break;
      case 0x15:
        at += accumulator === constant ? yes : no;
        break;
      case 0x45:
        at += (accumulator & constant) !== 0 ? yes : no;
        break;
      case 0x05:
        at += constant;
        break;
      case 0x06:
        if (constant === 0x7fff0000) return ALLOW;
        return ERRNO[constant - 0x50000] ?? `answer ${constant.toString(16)}`;
      default:
        throw new Error(`Unknown instruction at ${at}`);
    }
  }
  throw new Error("The program does not end");
}

for (const machine of MACHINES) {
  const on = (numbers: Parameters<typeof numberOn>[1]) => numberOn(machine, numbers);

  Deno.test(`seccompProgram() on ${machine} refuses each listed call and no other`, () => {
    const expected = new Map<number, string>();
    const add = (calls: typeof REFUSED, answer: string) => {
      for (const number of Object.values(calls).map(on)) {
        if (number !== undefined) expected.set(number, answer);
      }
    };
    add(REFUSED, "EPERM");
    add(ABSENT, "ENOSYS");
    const lookedAt = Object.values(LOOKED_AT).map(on);
    const wrong: unknown[] = [];
    for (let number = 0; number < 600; number += 1) {
      if (lookedAt.includes(number)) continue;
      const got = verdict({ machine, number });
      if (got !== (expected.get(number) ?? ALLOW)) wrong.push({ number, got });
    }
    equal(wrong, []);
  });

  Deno.test(`seccompProgram() on ${machine} looks at what clone, ioctl and socket are asked for`, () => {
    const call = (name: keyof typeof LOOKED_AT, ...args: number[]) =>
      verdict({ machine, number: on(LOOKED_AT[name]) ?? -1, args });
    const [thread, fork] = [0x3d0f00, 0x1200011];
    equal([call("clone", thread), call("clone", fork)], [ALLOW, ALLOW]);
    for (
      const bit of [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000]
    ) {
      equal(call("clone", fork | bit), "EPERM");
    }
    const [getSize, push, paste] = [0x5413, 0x5412, 0x541c];
    equal([getSize, push, paste].map((request) => call("ioctl", 0, request)), [
      ALLOW,
      "EPERM",
      "EPERM",
    ]);
    // The kernel looks at 32 bits of a request; what stands above them changes nothing.
    equal(call("ioctl", 0, push + 2 ** 32), "EPERM");
    const families = {
      unix: 1,
      v4: 2,
      v6: 10,
      netlink: 16,
      packet: 17,
      bluetooth: 31,
      alg: 38,
      vsock: 40,
    };
    equal(
      Object.entries(families).filter(([, family]) => call("socket", family) === ALLOW).map((
        [name],
      ) => name),
      ["unix", "v4", "v6", "netlink"],
    );
    equal(call("socket", families.vsock), "EAFNOSUPPORT");
  });

  Deno.test(`seccompProgram() on ${machine} answers nothing to another machine's numbers`, () => {
    const others = [
      0x40000003,
      0x40000028,
      ARCHITECTURE[machine === "x86_64" ? "aarch64" : "x86_64"],
    ];
    for (const architecture of others) {
      equal(verdict({ machine, number: 1, architecture }), "ENOSYS");
    }
  });
}

Deno.test("seccompProgram() on x86_64 refuses the second set of numbers", () => {
  for (const number of [0, 1, 101, 272]) {
    equal(verdict({ machine: "x86_64", number: number + 0x40000000 }), "ENOSYS");
  }
});

/** The kernel's own lists, where its headers are installed. */
const HEADERS: Readonly<Record<Machine, string>> = {
  x86_64: "/usr/include/x86_64-linux-gnu/asm/unistd_64.h",
  aarch64: "/usr/include/asm-generic/unistd.h",
};

for (const machine of MACHINES) {
  const text = textIfThere(HEADERS[machine]);
  Deno.test({
    name: `the numbers for ${machine} are those of the kernel's headers`,
    ignore: text === undefined,
    fn: () => {
      const known = new Map<string, number>();
      for (
        const [, name, number] of (text ?? "").matchAll(/^#define __NR(?:3264)?_(\w+) (\d+)$/gm)
      ) {
        if (name !== undefined) known.set(name, Number(number));
      }
      const ours = Object.entries({ ...REFUSED, ...ABSENT, ...LOOKED_AT });
      const wrong = ours.filter(([name, numbers]) => {
        const number = known.get(name);
        // Older headers do not have the newest calls.
        return number !== undefined && number !== numberOn(machine, numbers);
      });
      equal(wrong, []);
      equal(known.size > 250, true);
    },
  });
}
