import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { addressProblem, isAddress } from "@/sandbox/egress/address.ts";
import { fc } from "../../support/property.ts";

const CLOSED: Readonly<Record<string, RegExp>> = {
  "0.0.0.0": /this machine/,
  "0.1.2.3": /this machine/,
  "10.0.0.5": /private/,
  "10.255.255.255": /private/,
  "100.64.0.1": /provider/,
  "100.127.255.255": /provider/,
  "127.0.0.1": /this machine/,
  "127.255.255.254": /this machine/,
  "168.63.129.16": /metadata/,
  "169.254.169.254": /metadata/,
  "172.16.0.1": /private/,
  "172.31.255.255": /private/,
  "192.0.0.170": /reserved/,
  "192.168.1.1": /private/,
  "198.18.0.1": /measurements/,
  "224.0.0.251": /multicast/,
  "255.255.255.255": /reserved/,
  "::": /this machine/,
  "::1": /this machine/,
  "::127.0.0.1": /this machine/,
  "::ffff:127.0.0.1": /this machine/,
  "::ffff:7f00:1": /this machine/,
  "::ffff:169.254.169.254": /metadata/,
  "::ffff:10.0.0.1": /private/,
  "64:ff9b::a9fe:a9fe": /metadata/,
  "64:ff9b::10.0.0.1": /private/,
  "64:ff9b:1::1": /private/,
  "2002:7f00:1::": /tunnel/,
  "2002:c0a8:101::1": /tunnel/,
  "2001:0:4136:e378:8000:63bf:3fff:fdd2": /tunnel/,
  "fe80::1": /link-local/,
  "fe80::1%eth0": /cannot|no address/,
  "fec0::1": /private/,
  "fc00::1": /private/,
  "fd00:ec2::254": /private/,
  "ff02::1": /multicast/,
  "100::1": /private/,
};

const OPEN = [
  ...["1.1.1.1", "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1", "128.0.0.1"],
  ...["172.15.255.255", "172.32.0.1", "192.167.1.1", "192.169.1.1", "223.255.255.255"],
  ...["2606:4700:4700::1111", "2001:4860:4860::8888", "64:ff9b::1.1.1.1", "::ffff:1.1.1.1"],
];

Deno.test("addressProblem() names every address that is none of the internet, in all its forms", () => {
  for (const [address, problem] of Object.entries(CLOSED)) {
    const found = addressProblem(address);
    ok(found !== undefined && problem.test(found), `${address}: ${found}`);
  }
});

Deno.test("addressProblem() has nothing against public addresses", () => {
  for (const address of OPEN) equal(addressProblem(address), undefined, address);
});

Deno.test("addressProblem() refuses what is no address", () => {
  for (
    const text of ["", "localhost", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.1.1.1 ", "[::1]", ":"]
  ) {
    equal(addressProblem(text), "no address that can be checked", text);
    equal(isAddress(text), false, text);
  }
});

Deno.test("addressProblem() says the same of an IPv4 address and of its mapped and translated forms", () => {
  const byte = fc.nat(255);
  fc.assert(fc.property(byte, byte, byte, byte, (a, b, c, d) => {
    const plain = addressProblem(`${a}.${b}.${c}.${d}`);
    equal(addressProblem(`::ffff:${a}.${b}.${c}.${d}`), plain);
    equal(addressProblem(`64:ff9b::${a}.${b}.${c}.${d}`), plain);
  }));
});
