import { equal } from "node:assert";
import { allowsUrl, reachesUrl } from "@/policy/url_rule.ts";

Deno.test("allowsUrl() holds scheme, host and path apart", () => {
  const cases: readonly [pattern: string, url: string, allows: boolean][] = [
    ["https://docs.python.org/*", "https://docs.python.org/3/", true],
    ["https://docs.python.org/*", "HTTPS://DOCS.python.org:443/3/", true],
    ["https://docs.python.org/*", "http://docs.python.org/3/", false],
    ["https://docs.python.org/*", "https://docs.python.org.evil.example/3/", false],
    ["https://docs.python.org*", "https://evil.example/https://docs.python.org", false],
    ["https://*.python.org/*", "https://docs.python.org/3/", true],
    ["https://*.python.org/*", "https://evil.example/x.python.org/", false],
    ["https://*.python.org/*", "https://evil.example?x.python.org/", false],
    ["https://docs.python.org/*", "https://docs.python.org@evil.example/", false],
    ["https://docs.python.org/*", "https://me@docs.python.org/", false],
    ["https://docs.python.org", "https://docs.python.org/", true],
    ["https://docs.python.org", "https://docs.python.org/3", false],
    ["https://docs.python.org/3/*", "https://docs.python.org/3/../admin", false],
    ["https://docs.python.org/*", "https://docs.python.org:8443/3/", false],
    ["*", "https://docs.python.org/3/", true],
    ["*", "not an address", false],
  ];
  for (const [pattern, url, allows] of cases) {
    equal(allowsUrl(pattern, url), allows, `${pattern} on ${url}`);
  }
});

Deno.test("reachesUrl() looks at every spelling of an address", () => {
  const pattern = "https://evil.example/*";
  for (
    const url of [
      "https://evil.example/x",
      "HTTPS://EVIL.example/x",
      "https://me:pw@evil.example/x",
      "https://evil.example./x",
      "https://evil.example:443/x",
    ]
  ) equal(reachesUrl(pattern, url), true, url);
  equal(reachesUrl("https://a.example/secret*", "https://a.example/%73ecret"), true);
  equal(reachesUrl(pattern, "https://good.example/x"), false);
  equal(reachesUrl("https://a.example/%*", "https://a.example/%zz"), true);
});
