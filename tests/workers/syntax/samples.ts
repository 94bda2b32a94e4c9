/** A piece of each language, what an outline tells of it, and what it defines. */
import type { Language } from "@/workers/grammars.ts";

export type Sample = { language: Language; text: string; outline: string[]; definitions: string };

export const SAMPLES: readonly Sample[] = [
  {
    language: "python",
    text: `import os
X: int = 3
class A(Base, metaclass=M):
    y = 1
    @property
    @cached
    def f(self, a, b: int = 2, *args, c=3, **kw) -> str:
        def inner(): pass
        z = 4
        return X
async def g(): return A().f(1)
`,
    outline: [
      "class A < Base, metaclass=M 3-10 { @property @cached function f(self, a, b: int = 2, *args, c = 3, **kw): str 5-10 { function inner() 8-8 } }",
      "function g() 11-11",
    ],
    definitions: "variable X class A variable y function f function inner function g",
  },
  {
    language: "javascript",
    text: `class A extends B { static s = () => 1; get x() { return 1 } #h(a = 1, [b], ...c) {} }
function* g(a, {b}) {}
const f = function () {}, K = 3; module.exports = { f, g };
`,
    outline: [
      "class A < B 1-1 { function s() 1-1; function x() 1-1; function #h(a = 1, [b], ...c) 1-1 }",
      "function g(a, {b}) 2-2",
      "function f() 3-3",
    ],
    definitions: "class A function s function x function #h function g function f",
  },
  {
    language: "typescript",
    text: `import { x } from "y";
export interface I extends J, K<string> { m(a: number): void; p: string }
export abstract class C<T> extends B implements I, Q {
  #p = 1; h = (z?: number) => z;
  constructor(private readonly a: string, b = 2) { super(); }
  async m({ a, b }: O, ...rest: string[]): Promise<void> { const loc = () => 1; }
  abstract q(): void;
}
export const f = async (a: string): Promise<number> => 1, v = 2;
export function g<T>(this: T, a?: T): a is string { return f(a); }
enum E { A, B } namespace N { export function n() {} } type Al = string;
declare module "m" { function d(): void }
const one = x => x;
`,
    outline: [
      "interface I < J, K<string> 2-2 { function m(a: number): void 2-2 }",
      "class C < B, I, Q 3-8 { function h(z: number) 4-4; function constructor(a: string, b = 2) 5-5; function m({ a, b }: O, ...rest: string[]): Promise<void> 6-6 { function loc() 6-6 }; function q(): void 7-7 }",
      "function f(a: string): Promise<number> 9-9",
      "function g(this: T, a: T): a is string 10-10",
      "enum E 11-11",
      "namespace N 11-11 { function n() 11-11 }",
      'namespace "m" 12-12 { function d(): void 12-12 }',
      "function one(x) 13-13",
    ],
    definitions:
      "interface I function m class C function h function constructor function m function loc function q function f function g enum E namespace N function n type Al namespace m function d function one",
  },
  {
    language: "tsx",
    text: `import { x } from "y";
export interface I extends J, K<string> { m(a: number): void; p: string }
export abstract class C<T> extends B implements I, Q {
  #p = 1; h = (z?: number) => z;
  constructor(private readonly a: string, b = 2) { super(); }
  async m({ a, b }: O, ...rest: string[]): Promise<void> { const loc = () => 1; }
  abstract q(): void;
}
export const f = async (a: string): Promise<number> => 1, v = 2;
export function g<T>(this: T, a?: T): a is string { return f(a); }
enum E { A, B } namespace N { export function n() {} } type Al = string;
declare module "m" { function d(): void }
const one = x => x;
const W = () => <div className="x">{g()}</div>;
`,
    outline: [
      "interface I < J, K<string> 2-2 { function m(a: number): void 2-2 }",
      "class C < B, I, Q 3-8 { function h(z: number) 4-4; function constructor(a: string, b = 2) 5-5; function m({ a, b }: O, ...rest: string[]): Promise<void> 6-6 { function loc() 6-6 }; function q(): void 7-7 }",
      "function f(a: string): Promise<number> 9-9",
      "function g(this: T, a: T): a is string 10-10",
      "enum E 11-11",
      "namespace N 11-11 { function n() 11-11 }",
      'namespace "m" 12-12 { function d(): void 12-12 }',
      "function one(x) 13-13",
      "function W() 14-14",
    ],
    definitions:
      "interface I function m class C function h function constructor function m function loc function q function f function g enum E namespace N function n type Al namespace m function d function one function W",
  },
  {
    language: "go",
    text: `package p
const C = 1
var V, W int
type S struct { A int; B, D string }
type I interface { M(a int) error }
type T = int
func (s *S) M(a, b int, c ...string) (int, error) { V = 2; return C, nil }
func F(x map[string]int) {}
`,
    outline: [
      "struct S 4-4",
      "interface I 5-5 { function M(a: int): error 5-5 }",
      "function S.M(a: int, b: int, c: string): (int, error) 7-7",
      "function F(x: map[string]int) 8-8",
    ],
    definitions:
      "constant C variable V struct S field A field B interface I function M type T function M function F",
  },
  {
    language: "rust",
    text: `pub struct S<T> { a: T }
enum E { A(i32), B }
trait Tr: Sized { fn t(&self); fn d() -> i32 { 1 } }
impl<T> Tr for S<T> { fn t(&self) {} }
impl<T> S<T> { pub fn new(a: T, mut b: &str) -> Self { S { a } } }
mod m { const C: u8 = 1; static ST: u8 = 2; }
macro_rules! mac { () => {} }
type Al = u8;
`,
    outline: [
      "struct S 1-1",
      "enum E 2-2",
      "trait Tr < Sized 3-3 { function t(&self) 3-3; function d(): i32 3-3 }",
      "impl Tr for S<T> 4-4 { function t(&self) 4-4 }",
      "impl S<T> 5-5 { function new(a: T, b: &str): Self 5-5 }",
      "module m 6-6",
      "macro mac() 7-7",
    ],
    definitions:
      "struct S field a enum E variant A variant B trait Tr function t function d function t function new module m constant C static ST macro mac type Al",
  },
  {
    language: "java",
    text: `package p;
@Ann public class A<T> extends B<T> implements I, J { private int x = 1; A(int a, String... b) {} 
 @Override public <U> List<U> m(final Map<String, U> a) throws E { return null; } interface In extends X, Y { void q(); } enum En { ONE, TWO } record R(int a) {} }
`,
    outline: [
      "class A < B<T>, I, J 2-3 { function A(a: int, String... b) 2-2; function m(a: Map<String, U>): List<U> 3-3; interface In < X, Y 3-3 { function q(): void 3-3 }; enum En 3-3; record R 3-3 }",
    ],
    definitions:
      "class A field x function A function m interface In function q enum En constant ONE constant TWO record R",
  },
  {
    language: "c",
    text: `#define M 1
#define MF(a) (a)
typedef struct point { int x, y; } point_t;
static const char *name(int a, char **b);
int (*fp(void))(int) { return 0; }
enum e { AA, BB };
static const char *name(int a, char **b) { struct point p; return M; }
typedef int (*cb)(void *);
int main(void) { return MF(1); }
`,
    outline: [
      "macro MF(a) 2-2",
      "struct point 3-3",
      "function name(a: int, **b: char): char 4-4",
      "function (*fp(void))(: int): int 5-5",
      "enum e 6-6",
      "function name(a: int, **b: char): char 7-7",
      "function main(): int 9-9",
    ],
    definitions:
      "macro M macro MF type point_t struct point field x function name function fp enum e constant AA constant BB function name type cb function main",
  },
  {
    language: "cpp",
    text: `#pragma once
namespace n { template <class T> class A : public B, private virtual C<T> { public: A(int a = 1); ~A(); int m() const override { return 1; } virtual void v() = 0; int x; bool operator==(const A& o); }; }
int n::A::m(int z) { return 1; }
using Al = int;
`,
    outline: [
      "namespace n 2-2 { class A < B, C<T> 2-2 { function A(a: int = 1) 2-2; function ~A() 2-2; function m(): int 2-2; function v(): void 2-2; function operator==(& o: A): bool 2-2 } }",
      "function n::A::m(z: int): int 3-3",
    ],
    definitions:
      "namespace n class A function A function ~A function m function v function operator== function m type Al",
  },
  {
    language: "csharp",
    text:
      `namespace N { public class A<T> : B, I where T : new() { int x = 1; public string P { get; set; } public A(int a = 1) : base(a) {} public async Task<int> M(ref int a, params string[] b) { int L() => 1; return 1; } } interface I2 : I {} enum E { One } record R(int A); delegate void D(int x); struct S {} }
`,
    outline: [
      "namespace N 1-1 { class A < B, I 1-1 { function A(a: int) 1-1; function M(a: int, b: string[]): Task<int> 1-1 { function L(): int 1-1 } }; interface I2 < I 1-1; enum E 1-1; record R 1-1; delegate D(x: int): void 1-1; struct S 1-1 }",
    ],
    definitions:
      "namespace N class A field x property P function A function M function L interface I2 enum E constant One record R delegate D struct S",
  },
  {
    language: "ruby",
    text: `module M
  class A < B::C
    K = 1
    attr_reader :x
    def m(a, b = 1, *c, d:, e: 2, **f, &g) = 1
    def self.s; end
    def z?; end
  end
end
`,
    outline: [
      "module M 1-9 { class A < B::C 2-8 { function m(a, b = 1, c, d, e = 2, f, g) 5-5; function s() 6-6; function z?() 7-7 } }",
    ],
    definitions: "module M class A variable K function m function s function z?",
  },
  {
    language: "php",
    text: `<?php
namespace N; use X\\Y;
abstract class A extends B implements I, J { const C = 1; private ?int $p = 1; public function __construct(private int $a, ?string $b = null, ...$c) {} abstract function q(): ?array; }
interface I2 extends I {} trait T {} enum S: string implements Z { case A = 'a'; }
function f(array $x = []): int { return 1; }
`,
    outline: [
      "class A < B, I, J 3-3 { function __construct($a: int, $b: ?string = null, $c) 3-3; function q(): ?array 3-3 }",
      "interface I2 < I 4-4",
      "trait T 4-4",
      "enum S < Z 4-4",
      "function f($x: array = []): int 5-5",
    ],
    definitions:
      "class A constant C property p function __construct function q interface I2 trait T enum S function f",
  },
  {
    language: "bash",
    text: `#!/usr/bin/env bash
X=1
deploy() { local y=2; echo "$X"; }
function build { deploy now; }
`,
    outline: ["function deploy() 3-3", "function build() 4-4"],
    definitions: "variable X function deploy function build",
  },
  {
    language: "css",
    text: `:root { --main: red; }
.a .b > #c { color: var(--main); }
@media (min-width: 1px) { .d { x: y } }
@keyframes spin { from { a: b } }
`,
    outline: [
      "rule :root 1-1",
      "rule .a .b > #c 2-2",
      "@media (min-width: 1px) 3-3 { rule .d 3-3 }",
      "@keyframes spin 4-4",
    ],
    definitions: "property --main class a class b id c class d @keyframes spin",
  },
  {
    language: "json",
    text: `{"a": {"b": {"c": 1}}, "d": [ {"e": 1} ], "": 2}
`,
    outline: ["key a 1-1 { key b 1-1 }", "key d 1-1 { key e 1-1 }"],
    definitions: "key a key b key c key d key e key ",
  },
  {
    language: "html",
    text:
      `<!doctype html><html><head><title>x</title><script>var a = 1;</script></head><body><main id="top" class="w x"><br><p>hi</p></main></body></html>
`,
    outline: [
      "element html 1-1 { element head 1-1 { element title 1-1; element script 1-1 }; element body 1-1 { element main#top.w.x 1-1 { element br 1-1; element p 1-1 } } }",
    ],
    definitions: "",
  },
  {
    language: "toml",
    text: `title = "x"
[package]
name = "y"
a.b = 1
[[bin.x]]
"q r" = 1
`,
    outline: [
      "key title 1-1",
      "table package 2-4 { key name 3-3; key a.b 4-4 }",
      "array bin.x 5-6 { key q r 6-6 }",
    ],
    definitions: "key title table package key name key b array x key q r",
  },
  {
    language: "lua",
    text: `local M = {}
local function f(a, b, ...) return a end
function M.g(x) end
function M:h() f(1) end
M.k = function(a) end
return M
`,
    outline: ["function f(a, b, ...) 2-2", "function M.g(x) 3-3", "function M:h() 4-4"],
    definitions: "variable M function f function g function h",
  },
  {
    language: "yaml",
    text: `# c
version: "3"
services:
  web:
    image: x
    "q k": {a: 1}
list:
  - name: z
`,
    outline: [
      "key version 2-2",
      "key services 3-6 { key web 4-6 }",
      "key list 7-8 { key name 8-8 }",
    ],
    definitions: "key version key services key web key image key q k key a key list key name",
  },
];
