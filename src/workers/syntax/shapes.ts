/** The shapes of all languages. */
import type { Language } from "../grammars.ts";
import type { Shape } from "./shape.ts";
import { css, html, json, toml, yaml } from "./shapes_data.ts";
import { bash, javascript, lua, php, python, ruby, typescript } from "./shapes_script.ts";
import { c, cpp, csharp, go, java, rust } from "./shapes_typed.ts";

export const SHAPES: Readonly<Record<Language, Shape>> = {
  python,
  javascript,
  typescript,
  tsx: typescript,
  go,
  rust,
  java,
  c,
  cpp,
  csharp,
  ruby,
  php,
  bash,
  css,
  json,
  html,
  toml,
  lua,
  yaml,
};
