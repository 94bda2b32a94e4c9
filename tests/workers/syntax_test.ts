import { deepStrictEqual as equal, ok, rejects } from "node:assert/strict";
import { type Language, LANGUAGES } from "@/workers/grammars.ts";
import { BadQuery, NoTree, Syntax, type SyntaxLimits } from "@/workers/syntax.ts";
import type { Entry } from "@/workers/syntax/answer.ts";
import { SAMPLES } from "./syntax/samples.ts";

const never = new AbortController().signal;

async function withSyntax(
  body: (syntax: Syntax) => Promise<void>,
  limits: Partial<SyntaxLimits> = {},
): Promise<void> {
  const syntax = new Syntax(limits);
  try {
    await body(syntax);
  } finally {
    syntax.close();
  }
}

/** `class A(B) 3-10 { f(a: int = 1): str }` of an entry. */
function spoken(entry: Entry): string {
  const { type, kind, name, parameters, return_type, bases, decorators, line, end_line } = entry;
  const listed = parameters?.map((one) =>
    `${one.name}${one.type === undefined ? "" : `: ${one.type}`}${
      one.default === undefined ? "" : ` = ${one.default}`
    }`
  ).join(", ");
  const inside = [...entry.methods ?? [], ...entry.children ?? []].map(spoken).join("; ");
  return `${decorators?.join(" ") ?? ""}${decorators ? " " : ""}${kind ?? type} ${name}` +
    `${listed === undefined ? "" : `(${listed})`}${
      return_type === undefined ? "" : `: ${return_type}`
    }` +
    `${bases === undefined ? "" : ` < ${bases.join(", ")}`} ${line}-${end_line}` +
    `${inside === "" ? "" : ` { ${inside} }`}`;
}

Deno.test("a file of each language is outlined, and its definitions are found", async () => {
  equal(SAMPLES.map(({ language }) => language).sort(), [...LANGUAGES].sort());
  await withSyntax(async (syntax) => {
    for (const { language, text, outline, definitions } of SAMPLES) {
      const { entries, errorLines } = await syntax.outline({ language, text }, never);
      equal([language, entries.map(spoken), errorLines], [language, outline, []]);
      const names = await syntax.names({ language, text }, never);
      const found = names.definitions.map(({ name, kind }) => `${kind} ${name}`).join(" ");
      equal([language, found], [language, definitions]);
    }
  });
});

Deno.test("names() tells uses from text in comments and strings", async () => {
  await withSyntax(async (syntax) => {
    const text = 'def go(): # go\n  return "go"\nx.go(go)\n';
    const { definitions, uses } = await syntax.names({ language: "python", text }, never);
    equal(definitions, [{ name: "go", kind: "function", line: 1, column: 5 }]);
    equal(uses["go"], [1, 5, 3, 3, 3, 6]);
  });
});

Deno.test("outline() names lines that are no code, and outlines the rest", async () => {
  await withSyntax(async (syntax) => {
    const text = "def a(): pass\n\nclass (:\n\ndef b(): pass\n";
    const { entries, errorLines } = await syntax.outline({ language: "python", text }, never);
    equal(entries.map(({ name }) => name), ["a", "b"]);
    ok(errorLines.length > 0 && errorLines.every((line) => line >= 3 && line <= 5));
  });
});

const py = (text: string) => ({ language: "python" as Language, text });

Deno.test("query() takes captures, patterns without, bare types and predicates", async () => {
  await withSyntax(async (syntax) => {
    const source = py("def a(): pass\ndef test_b(): pass\n");
    const texts = async (pattern: string) => {
      const { matches, total, more } = await syntax.query(source, pattern, never);
      equal([total, more], [matches.length, false]);
      return matches.map((captures) => captures.map(({ name, text, line }) => [name, text, line]));
    };
    const name = "(function_definition name: (identifier) @n";
    equal(await texts(`${name})`), [[["n", "a", 1]], [["n", "test_b", 2]]]);
    equal(await texts(`(${name}) (#match? @n "^test_"))`), [[["n", "test_b", 2]]]);
    equal(await texts("(pass_statement)"), [[["match", "pass", 1]], [["match", "pass", 2]]]);
    equal(await texts("pass_statement"), await texts("(pass_statement)"));
  });
});

Deno.test("query() says what is wrong with a query, and goes on", async () => {
  await withSyntax(async (syntax) => {
    const cases: [string, RegExp][] = [
      ["(function)", /has no node named "function"; like it are .*function_definition/],
      ["(function_definition nome: (_))", /has no field named "nome"/],
      ["(function_definition", /^it ends before it is whole$/],
      ["(pass_statement) )x", /^it is wrong at character 17, from "\)x"$/],
      ["x".repeat(5_000), /5000 characters; at most 4000/],
    ];
    for (const [pattern, sentence] of cases) {
      await rejects(syntax.query(py("x = 1\n"), pattern, never), (error) => {
        ok(error instanceof BadQuery && sentence.test(error.message), String(error));
        return true;
      });
    }
    equal((await syntax.query(py("x = 1\n"), "(identifier)", never)).total, 1);
  });
});

Deno.test("a file that takes too long is given up, and the next one is read", async () => {
  await withSyntax(async (syntax) => {
    await syntax.outline(py("x = 1\n"), never);
    const hard = py(`x = ${"a+".repeat(500_000)}a\n`);
    await rejects(
      syntax.outline(hard, never),
      (error) =>
        error instanceof NoTree && /^took more than 0\.3 s and was given up$/.test(error.message),
    );
  }, { jobMs: 300 });
  await withSyntax(async (syntax) => {
    equal((await syntax.outline(py("def f(): pass\n"), never)).total, 1);
  });
});

Deno.test("a call that is given up ends at once, and those behind it are served", async () => {
  await withSyntax(async (syntax) => {
    const controller = new AbortController();
    const hard = py(`x = ${"a+".repeat(500_000)}a\n`);
    const first = syntax.outline(hard, controller.signal);
    const second = syntax.outline(py("def f(): pass\n"), never);
    setTimeout(() => controller.abort(new Error("Esc")), 100);
    await rejects(first, /Esc/);
    equal((await second).total, 1);
  });
});

Deno.test("deep nesting, noise and damaged code come to an answer or a sentence", async () => {
  const hostile: [Language, string][] = [
    ["python", "(".repeat(30_000)],
    ["javascript", `${"[".repeat(20_000)}${"]".repeat(20_000)}`],
    ["javascript", `${"function a(){".repeat(5_000)}${"}".repeat(5_000)}`],
    ["json", '{"a":'.repeat(30_000)],
    ["yaml", "- [{".repeat(20_000)],
    ["cpp", "a<".repeat(4_000)],
    ["rust", "fn ! <> ### ".repeat(5_000)],
    ["typescript", "\u0000\ufffd\ud800<<<<<<< HEAD\n".repeat(2_000)],
    ["html", "<div>".repeat(3_000)],
    ["css", ""],
  ];
  await withSyntax(async (syntax) => {
    for (const [language, text] of hostile) {
      for (const ask of ["outline", "names"] as const) {
        try {
          await syntax[ask]({ language, text }, never);
        } catch (error) {
          ok(error instanceof NoTree, String(error));
        }
      }
    }
  }, { jobMs: 3_000 });
});

Deno.test("a query with millions of matches is stopped, and says so", async () => {
  await withSyntax(async (syntax) => {
    const source = py("f(a, b, c)\n".repeat(20_000));
    try {
      const found = await syntax.query(source, "(_ (_)* @a (_)* @b (_) @c)", never);
      equal(found.matches.length, 50);
      ok(found.more || found.total > 50);
    } catch (error) {
      ok(error instanceof NoTree, String(error));
    }
    equal((await syntax.query(py("x = 1\n"), "(identifier)", never)).total, 1);
  });
});
