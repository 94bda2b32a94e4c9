import { deepStrictEqual as equal } from "node:assert/strict";
import { readBaseUrl } from "@/provider/base_url.ts";

const ollama = { defaultPort: 11_434, notPartOfBase: ["/api", "/v1"] };

Deno.test("readBaseUrl() reads every form that OLLAMA_HOST takes", () => {
  const cases: [string, string | undefined][] = [
    ["http://127.0.0.1:11434", "http://127.0.0.1:11434"],
    ["localhost", "http://localhost:11434"],
    ["192.168.1.5:8080", "http://192.168.1.5:8080"],
    ["example.com/path/", "http://example.com:11434/path"],
    [":1234", "http://127.0.0.1:1234"],
    ["0.0.0.0", "http://127.0.0.1:11434"],
    ["0.0.0.0:80", "http://127.0.0.1"],
    ["http://0.0.0.0:11434/", "http://127.0.0.1:11434"],
    ["::", "http://[::1]:11434"],
    ["[::]:9000", "http://[::1]:9000"],
    ["::1", "http://[::1]:11434"],
    ["http://box", "http://box"],
    ["https://box", "https://box"],
    ["https://box:8443/ollama/api", "https://box:8443/ollama"],
    ["http://box:11434/v1/", "http://box:11434"],
    ["ollama.com", "https://ollama.com"],
    ["ollama.com:443", "https://ollama.com"],
    ["https://ollama.com/api", "https://ollama.com"],
    ['"http://box:1"', "http://box:1"],
    ["  box  ", "http://box:11434"],
    ["", "http://127.0.0.1:11434"],
    ["ftp://box", undefined],
    ["http://", undefined],
    ["http://box:99999", undefined],
    ["two words", undefined],
  ];
  for (const [text, url] of cases) equal(readBaseUrl(text, ollama)?.url, url, JSON.stringify(text));
});

Deno.test("readBaseUrl() takes HTTPS for a host elsewhere and HTTP for this machine", () => {
  equal(readBaseUrl("api.example.com/v1")?.url, "https://api.example.com/v1");
  equal(readBaseUrl("localhost:8000/v1")?.url, "http://localhost:8000/v1");
  equal(readBaseUrl("127.0.0.1:8000")?.url, "http://127.0.0.1:8000");
});

Deno.test("readBaseUrl() parts the user from the address and drops what is no base", () => {
  equal(readBaseUrl("https://me:p%40ss@box/x/?a=1#b"), {
    url: "https://box/x",
    userInfo: "me:p@ss",
  });
});
