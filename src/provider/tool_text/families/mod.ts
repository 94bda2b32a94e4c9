/** All ways to write a call as text, in the order in which they are tried. A new one is a file and its line here. */
import type { Family } from "../grammar.ts";
import { brackets } from "./brackets.ts";
import { flattened } from "./flattened.ts";
import { gemma } from "./gemma.ts";
import { glm } from "./glm.ts";
import { hermes } from "./hermes.ts";
import { invoke } from "./invoke.ts";
import { kimi } from "./kimi.ts";
import { llama } from "./llama.ts";
import { mistral } from "./mistral.ts";
import { pythonList } from "./python_list.ts";
import { qwenCoder } from "./qwen_coder.ts";

/** Every family, always on. */
export const FAMILIES: readonly Family[] = [
  hermes,
  qwenCoder,
  invoke,
  kimi,
  gemma,
  llama,
  brackets,
  glm,
  pythonList,
  mistral,
  flattened,
];
