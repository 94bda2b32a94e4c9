/** Which addresses are somewhere on the internet, and which are this machine, its network, or nobody's. */

/** A range of addresses: its first bytes, how many bits of them count, and what it is called in a sentence. */
type Range = { first: readonly number[]; bits: number; what: string };

const range = (first: readonly number[], bits: number, what: string): Range => ({
  first,
  bits,
  what,
});

/** Ranges for documentation (192.0.2.0/24 and the like) are nobody's inside and are left out. */
const IPV4: readonly Range[] = [
  range([0], 8, "an address of this machine"),
  range([10], 8, "a private address"),
  range([100, 64], 10, "an address inside a provider's network"),
  range([127], 8, "an address of this machine"),
  // Azure's counterpart of 169.254.169.254 looks like any public address.
  range([168, 63, 129, 16], 32, "the metadata address of a cloud"),
  range([169, 254], 16, "a link-local address, where clouds keep their metadata"),
  range([172, 16], 12, "a private address"),
  range([192, 0, 0], 24, "a reserved address"),
  range([192, 88, 99], 24, "a relay of another network"),
  range([192, 168], 16, "a private address"),
  range([198, 18], 15, "an address for measurements inside a network"),
  range([224], 4, "a multicast address"),
  range([240], 4, "a reserved address"),
];

const IPV6_PUBLIC = range([0x20], 3, "");

const IPV6: readonly Range[] = [
  range([0x20, 0x01, 0, 0], 23, "a tunnel into another network"),
  range([0x20, 0x02], 16, "a tunnel into another network"),
];

/** An IPv4 address inside an IPv6 one, and where it begins. */
const NAT64 = range([0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0], 96, "");
const MAPPED = range([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], 96, "");
const COMPATIBLE = range([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 96, "");
const EMBEDDED_AT = 12;

/**
 * What an address is, when it is none of the internet: the end of "it is …". Undefined for a public one. `address` is one
 * that a resolver or URL() has written: IPv4 in four decimals, IPv6 without brackets.
 */
export function addressProblem(address: string): string | undefined {
  const bytes = addressBytes(address);
  if (bytes === undefined) return "no address that can be checked";
  return bytes.length === 4 ? ipv4Problem(bytes) : ipv6Problem(bytes);
}

function ipv4Problem(bytes: readonly number[]): string | undefined {
  return IPV4.find((one) => isIn(bytes, one))?.what;
}

function ipv6Problem(bytes: readonly number[]): string | undefined {
  const embedded = bytes.slice(EMBEDDED_AT);
  if (isIn(bytes, MAPPED)) return ipv4Problem(embedded);
  // Networks without IPv4 reach it by these; what may not be reached directly may not be by them either.
  if (isIn(bytes, NAT64)) return ipv4Problem(embedded);
  if (isIn(bytes, COMPATIBLE)) return "an address of this machine";
  if (!isIn(bytes, IPV6_PUBLIC)) return localName(bytes);
  return IPV6.find((one) => isIn(bytes, one))?.what;
}

function localName(bytes: readonly number[]): string {
  if (isIn(bytes, range([0xff], 8, ""))) return "a multicast address";
  if (isIn(bytes, range([0xfe, 0x80], 10, ""))) return "a link-local address";
  return "a private address";
}

function isIn(bytes: readonly number[], { first, bits }: Range): boolean {
  for (let index = 0, left = bits; left > 0; index += 1, left -= 8) {
    const mask = left >= 8 ? 0xff : (0xff << (8 - left)) & 0xff;
    if (((bytes[index] ?? 0) & mask) !== ((first[index] ?? 0) & mask)) return false;
  }
  return true;
}

/** The bytes of an address, 4 or 16; undefined for anything else. */
function addressBytes(address: string): readonly number[] | undefined {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) {
    const bytes = address.split(".").map(Number);
    return bytes.every((byte) => byte <= 255) ? bytes : undefined;
  }
  // A zone ("fe80::1%eth0") is refused here.
  const written = URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1);
  if (written === undefined || !address.includes(":")) return undefined;
  const [head = "", tail] = written.split("::");
  const groups = (text: string) => text === "" ? [] : text.split(":");
  const [before, after] = [groups(head), groups(tail ?? "")];
  const missing = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array<string>(missing).fill("0"), ...after].flatMap((group) => {
    const value = parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

/** Whether a canonical host is an address and not a name. */
export function isAddress(host: string): boolean {
  return addressBytes(host) !== undefined;
}
