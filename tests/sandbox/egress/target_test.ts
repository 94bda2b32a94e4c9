import { deepStrictEqual as equal } from "node:assert/strict";
import { isAbout, namesExactly, readHostRule } from "@/sandbox/egress/host_rule.ts";
import { addressText, canonicalHost, readTarget, targetText } from "@/sandbox/egress/target.ts";

const SAME: Readonly<Record<string, string>> = {
  "example.com": "example.com",
  "EXAMPLE.com": "example.com",
  "example.com.": "example.com",
  "bücher.example": "xn--bcher-kva.example",
  "ｅｘａｍｐｌｅ．com": "example.com",
  "under_score.example": "under_score.example",
  "127.1": "127.0.0.1",
  "127.0.0.1.": "127.0.0.1",
  "2130706433": "127.0.0.1",
  "0x7f.1": "127.0.0.1",
  "0177.0.0.1": "127.0.0.1",
  "0x7f000001": "127.0.0.1",
  "[::1]": "::1",
  "::1": "::1",
  "[0:0:0:0:0:0:0:1]": "::1",
  "[::FFFF:127.0.0.1]": "::ffff:7f00:1",
};

Deno.test("canonicalHost() has one spelling for one host", () => {
  for (const [text, host] of Object.entries(SAME)) equal(canonicalHost(text), host, text);
});

Deno.test("canonicalHost() refuses what hides a host or is none", () => {
  const wrong = [
    ...["", ".", "..", "a..b", "-a.example", "a b", "a/b", "user@host", "host#x", "host?x"],
    ...["%31%32%37.0.0.1", "fe80::1%eth0", "[fe80::1%25eth0]", "host\\x", "host:80", "[::1"],
    ...["256.256.256.256", "1.2.3.4.5", `${"a".repeat(64)}.example`, `${"a.".repeat(130)}b`],
    ...["\u0000", "a\nb", "[example.com]"],
  ];
  for (const text of wrong) equal(canonicalHost(text), undefined, JSON.stringify(text));
});

Deno.test("readTarget() reads a host and a port, and writes the port where it has to be said", () => {
  equal(readTarget("Example.com:8080"), { host: "example.com", port: 8080 });
  equal(readTarget("[::1]:80"), { host: "::1", port: 80 });
  equal(readTarget("example.com"), undefined);
  equal(readTarget("example.com", 443), { host: "example.com", port: 443 });
  for (const text of ["a:0", "a:65536", "a:", ":80", "a:b", "::1:80", "a:80:90"]) {
    equal(readTarget(text), undefined, text);
  }
  equal(targetText({ host: "example.com", port: 443 }), "example.com");
  equal(targetText({ host: "::1", port: 8080 }), "[::1]:8080");
  equal(addressText({ host: "example.com", port: 443 }), "example.com:443");
});

const web = (host: string, port = 443) => ({ host, port });

Deno.test("isAbout() takes the host itself, or what is below a domain, and no other port than said", () => {
  const about = (rule: string, host: string, port?: number) => {
    const read = readHostRule(rule);
    return read !== undefined && isAbout(read, web(host, port));
  };
  equal(about("example.com", "example.com"), true);
  equal(about("Example.COM.", "example.com", 80), true);
  equal(about("example.com", "www.example.com"), false);
  equal(about("example.com", "example.com", 22), false);
  equal(about("example.com:22", "example.com", 22), true);
  equal(about("example.com:22", "example.com"), false);
  equal(about("*.example.com", "www.example.com"), true);
  equal(about("*.example.com", "a.b.example.com"), true);
  equal(about("*.example.com", "example.com"), false);
  equal(about("*.example.com", "evilexample.com"), false);
  equal(about("*", "anything.example"), true);
  equal(about("*", "anything.example", 22), false);
});

Deno.test("readHostRule() refuses what is no host", () => {
  for (
    const text of [
      "",
      "*x.example",
      "a.*.example",
      "**",
      "*.*",
      "http://a",
      "a:0",
      "a/b",
      "*.",
      "a b",
    ]
  ) {
    equal(readHostRule(text), undefined, text);
  }
});

Deno.test("namesExactly() needs the port in so many words", () => {
  const exactly = (rule: string, host: string, port: number) => {
    const read = readHostRule(rule);
    return read !== undefined && namesExactly(read, web(host, port));
  };
  equal(exactly("127.0.0.1:8080", "127.0.0.1", 8080), true);
  equal(exactly("127.1:8080", "127.0.0.1", 8080), true);
  equal(exactly("127.0.0.1", "127.0.0.1", 80), false);
  equal(exactly("*:8080", "127.0.0.1", 8080), false);
  equal(exactly("127.0.0.1:8080", "localhost", 8080), false);
});
