/** The ecosystems, in the order in which one directory is asked: a general one after those for one language. */
import type { Ecosystem } from "@/verify/ecosystem.ts";
import { bun } from "./bun.ts";
import { cargo } from "./cargo.ts";
import { deno } from "./deno.ts";
import { dotnet } from "./dotnet.ts";
import { go } from "./go.ts";
import { gradle, maven } from "./jvm.ts";
import { make } from "./make.ts";
import { node } from "./node.ts";
import { php } from "./php.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";

/** All of them. */
export const ECOSYSTEMS: readonly Ecosystem[] = [
  python,
  deno,
  node,
  bun,
  cargo,
  go,
  maven,
  gradle,
  dotnet,
  ruby,
  php,
  make,
];
