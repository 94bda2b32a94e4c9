/**
 * The system call filter, assembled as the classic BPF program that `bwrap --seccomp FD` loads: 8 bytes an instruction
 * (code, two jump distances, one constant). It runs on each system call of a command, so it is short.
 */
import { ABSENT, LOOKED_AT, type Machine, numberOn, REFUSED } from "@/sandbox/syscalls.ts";

/** Offsets in what the kernel shows a filter (`struct seccomp_data`). Arguments are 64 bits; the low half comes first. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const ARGUMENT_0 = 16;
const ARGUMENT_1 = 24;

const AUDIT_ARCH: Readonly<Record<Machine, number>> = {
  x86_64: 0xc000003e,
  aarch64: 0xc00000b7,
};

/** x86_64 has a second set of numbers, for 32-bit pointers, in which all of the list could be called again. */
const X32_BIT = 0x4000_0000;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const NEW_NAMESPACES = 0x7e02_0000;

/** Put a key into the terminal's input, or paste there (CVE-2017-5226). */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

/**
 * Unix, IPv4, IPv6 and netlink: those that the network namespace holds. AF_VSOCK reaches the host of a virtual machine
 * whatever the namespace is. Unix sockets stay: tools use them among themselves, and those of the host are hidden.
 */
const SOCKET_FAMILIES = [1, 2, 10, 16];

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;

const RETURN_ALLOW = 0x7fff_0000;
const RETURN_ERRNO = 0x0005_0000;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

type Label = "clone" | "ioctl" | "socket" | "allow" | "refuse" | "absent" | "family";

/** One instruction; a jump goes to its label when it holds and on to the next line when not. */
type Line =
  | { load: number }
  | { test: typeof JUMP_EQUAL | typeof JUMP_ANY_BIT; value: number; to: Label }
  | { test: typeof JUMP_EQUAL; value: number; unlessTo: Label }
  | { goto: Label }
  | { label: Label }
  | { answer: number };

/** The filter for a machine, in the byte order of both (little). */
export function seccompProgram(machine: Machine): Uint8Array<ArrayBuffer> {
  const equal = (value: number, to: Label): Line => ({ test: JUMP_EQUAL, value, to });
  const each = (calls: typeof REFUSED, to: Label): Line[] =>
    Object.values(calls).flatMap((numbers) => {
      const number = numberOn(machine, numbers);
      return number === undefined ? [] : [equal(number, to)];
    });
  return assemble([
    { load: ARCHITECTURE },
    // A program for another machine (32 bits on 64) has other numbers, so it gets no system call at all.
    { test: JUMP_EQUAL, value: AUDIT_ARCH[machine], unlessTo: "absent" },
    { load: NUMBER },
    ...(machine === "x86_64"
      ? [{ test: JUMP_ANY_BIT, value: X32_BIT, to: "absent" } satisfies Line]
      : []),
    equal(numberOn(machine, LOOKED_AT.ioctl) ?? 0, "ioctl"),
    equal(numberOn(machine, LOOKED_AT.clone) ?? 0, "clone"),
    equal(numberOn(machine, LOOKED_AT.socket) ?? 0, "socket"),
    ...each(REFUSED, "refuse"),
    ...each(ABSENT, "absent"),
    { goto: "allow" },
    { label: "clone" },
    { load: ARGUMENT_0 },
    { test: JUMP_ANY_BIT, value: NEW_NAMESPACES, to: "refuse" },
    { goto: "allow" },
    { label: "ioctl" },
    { load: ARGUMENT_1 },
    equal(TIOCSTI, "refuse"),
    equal(TIOCLINUX, "refuse"),
    { goto: "allow" },
    { label: "socket" },
    { load: ARGUMENT_0 },
    ...SOCKET_FAMILIES.map((family) => equal(family, "allow")),
    { goto: "family" },
    { label: "allow" },
    { answer: RETURN_ALLOW },
    { label: "refuse" },
    { answer: RETURN_ERRNO | EPERM },
    { label: "absent" },
    { answer: RETURN_ERRNO | ENOSYS },
    { label: "family" },
    { answer: RETURN_ERRNO | EAFNOSUPPORT },
  ]);
}

const INSTRUCTION_BYTES = 8;
const JUMP_ALWAYS = 0x05;

function assemble(lines: readonly Line[]): Uint8Array<ArrayBuffer> {
  const labels = new Map<Label, number>();
  const instructions: Exclude<Line, { label: Label }>[] = [];
  for (const line of lines) {
    if ("label" in line) labels.set(line.label, instructions.length);
    else instructions.push(line);
  }
  const bytes = new Uint8Array(instructions.length * INSTRUCTION_BYTES);
  const view = new DataView(bytes.buffer);
  instructions.forEach((line, index) => {
    const distance = (label: Label) => (labels.get(label) ?? 0) - index - 1;
    const at = index * INSTRUCTION_BYTES;
    const put = (code: number, yes: number, no: number, constant: number) => {
      if (yes > 255 || no > 255) throw new Error("A jump of the system call filter is too long");
      view.setUint16(at, code, true);
      view.setUint8(at + 2, yes);
      view.setUint8(at + 3, no);
      view.setUint32(at + 4, constant, true);
    };
    if ("load" in line) put(LOAD, 0, 0, line.load);
    else if ("answer" in line) put(RETURN, 0, 0, line.answer);
    else if ("goto" in line) put(JUMP_ALWAYS, 0, 0, distance(line.goto));
    else if ("to" in line) put(line.test, distance(line.to), 0, line.value);
    else put(line.test, 0, distance(line.unlessTo), line.value);
  });
  return bytes;
}
