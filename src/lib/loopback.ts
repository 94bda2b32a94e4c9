/** Whether a host is this very machine, by its name alone: nothing is looked up. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "").toLowerCase();
  if (host === "localhost") return true;
  if (host === "::1" || host === "0:0:0:0:0:0:0:1") return true;
  // URL() has written every spelling of an IPv4 address (hex, octal, one number) as four decimals by now.
  const mapped = /^::ffff:([0-9a-f]{1,4}):[0-9a-f]{1,4}$/.exec(host);
  if (mapped !== null) return parseInt(mapped[1] ?? "", 16) >> 8 === 127;
  return /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}
