import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { HEAD_BYTES_MAX, readHead, readProxyRequest } from "@/sandbox/egress/head.ts";
import { fc } from "../../support/property.ts";

/** A connection that gives these pieces, one a read. */
function giving(...pieces: readonly string[]) {
  const left = pieces.map((piece) => new TextEncoder().encode(piece));
  return {
    read: (into: Uint8Array): Promise<number | null> => {
      const piece = left.shift();
      if (piece === undefined) return Promise.resolve(null);
      into.set(piece);
      return Promise.resolve(piece.length);
    },
  };
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

Deno.test("readHead() finds the end of a head however it is cut, and keeps what comes behind", async () => {
  const whole = "CONNECT a:443 HTTP/1.1\r\nhost: a\r\n\r\nbody";
  await fc.assert(fc.asyncProperty(fc.nat(whole.length), fc.nat(whole.length), async (a, b) => {
    const [from, to] = [Math.min(a, b), Math.max(a, b)];
    const pieces = [whole.slice(0, from), whole.slice(from, to), whole.slice(to)]
      .filter((piece) => piece !== "");
    const read = await readHead(giving(...pieces));
    equal(read?.head, "CONNECT a:443 HTTP/1.1\r\nhost: a");
    ok("body".startsWith(text(read?.rest ?? new Uint8Array())));
  }));
});

Deno.test("readHead() gives up beyond its bound, and where the head never ends", async () => {
  const long = Array<string>(HEAD_BYTES_MAX / 4096 + 1).fill("x".repeat(4096));
  equal(await readHead(giving(...long)), undefined);
  equal(await readHead(giving("GET / HTTP/1.1\r\n")), undefined);
});

const read = (...lines: readonly string[]) => readProxyRequest(lines.join("\r\n"));

Deno.test("readProxyRequest() reads a tunnel, and the password before it", () => {
  equal(read("CONNECT Example.com:443 HTTP/1.1", "Host: other"), {
    asked: { kind: "tunnel", target: { host: "example.com", port: 443 } },
  });
  const line = `Proxy-Authorization: Basic ${btoa("user:pass:word")}`;
  const request = read("CONNECT a:443 HTTP/1.1", line);
  equal("password" in request && request.password, "pass:word");
});

Deno.test("readProxyRequest() writes a plain request anew, for the host of its address", () => {
  const request = read(
    "POST http://Example.com:8080/a?b=c HTTP/1.1",
    "Host: elsewhere.example",
    "Proxy-Authorization: Basic eDp5",
    "Connection: keep-alive, X-Hop",
    "X-Hop: 1",
    "X-Kept: yes",
    "Content-Length: 3",
  );
  ok("asked" in request && request.asked.kind === "request");
  equal(request.asked.target, { host: "example.com", port: 8080 });
  equal(
    text(request.asked.head),
    "POST /a?b=c HTTP/1.1\r\nhost: example.com:8080\r\nx-kept: yes\r\ncontent-length: 3\r\nconnection: close\r\n\r\n",
  );
});

Deno.test("readProxyRequest() refuses what could be read in two ways", () => {
  const refused: readonly (readonly string[])[] = [
    ["GET / HTTP/1.1"],
    ["GET https://a/ HTTP/1.1"],
    ["GET ftp://a/ HTTP/1.1"],
    ["GET file:///etc/passwd HTTP/1.1"],
    ["CONNECT a HTTP/1.1"],
    ["CONNECT a:443/x HTTP/1.1"],
    ["CONNECT user@a:443 HTTP/1.1"],
    ["CONNECT a:443 HTTP/2"],
    ["connect a:443 HTTP/1.1"],
    ["CONNECT  a:443 HTTP/1.1"],
    ["CONNECT a:443 HTTP/1.1", " folded: x"],
    ["CONNECT a:443 HTTP/1.1", "name : x"],
    ["CONNECT a:443 HTTP/1.1", "no colon"],
    ["CONNECT a:443 HTTP/1.1", "x: a\nb: c"],
    ["GET http://a/ HTTP/1.1", "content-length: 1", "transfer-encoding: chunked"],
    ["GET http://a/ HTTP/1.1", "content-length: 1", "content-length: 2"],
    ["CONNECT a:443 HTTP/1.1", ...Array<string>(300).fill("a: b")],
  ];
  for (const lines of refused) {
    const request = readProxyRequest(lines.join("\r\n"));
    match("problem" in request ? request.problem : "", /\w/, lines.join(" | "));
  }
});

Deno.test("readProxyRequest() never throws", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (head) => {
    readProxyRequest(head);
    readProxyRequest(`CONNECT ${head}`);
    readProxyRequest(`GET http://a/ HTTP/1.1\r\n${head}`);
  }));
});
