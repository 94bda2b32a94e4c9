/** The grammars of syntax trees: which languages there are, how a file tells its own, and where the WebAssembly is. */
import { basename } from "@/lib/path.ts";

type Grammar = {
  /** The file of the grammar, as deno.json's imports know it. */
  wasm: string;
  /** Ends of file names, without the dot; also what models call the language. */
  extensions: readonly string[];
  /** Other names of the language. */
  names?: readonly string[];
  /** Programs of a first line `#!…`, without their version. */
  programs?: readonly string[];
  /** Whole file names. */
  files?: readonly string[];
};

const VSCODE = "@vscode/tree-sitter-wasm/wasm/tree-sitter-";

const GRAMMARS = {
  python: {
    wasm: `${VSCODE}python.wasm`,
    extensions: ["py", "pyw", "pyi"],
    programs: ["python", "pypy"],
  },
  javascript: {
    wasm: `${VSCODE}javascript.wasm`,
    extensions: ["js", "mjs", "cjs", "jsx"],
    programs: ["node", "bun"],
  },
  typescript: {
    wasm: `${VSCODE}typescript.wasm`,
    extensions: ["ts", "mts", "cts"],
    programs: ["deno", "tsx", "ts-node"],
  },
  tsx: { wasm: `${VSCODE}tsx.wasm`, extensions: ["tsx"] },
  go: { wasm: `${VSCODE}go.wasm`, extensions: ["go"], names: ["golang"] },
  rust: { wasm: `${VSCODE}rust.wasm`, extensions: ["rs"] },
  java: { wasm: `${VSCODE}java.wasm`, extensions: ["java"] },
  c: { wasm: "tree-sitter-c/tree-sitter-c.wasm", extensions: ["c", "h"] },
  cpp: {
    wasm: `${VSCODE}cpp.wasm`,
    extensions: ["cpp", "cc", "cxx", "hpp", "hxx", "hh"],
    names: ["c++"],
  },
  csharp: { wasm: `${VSCODE}c-sharp.wasm`, extensions: ["cs"], names: ["c#", "c_sharp"] },
  ruby: {
    wasm: `${VSCODE}ruby.wasm`,
    extensions: ["rb", "rake", "gemspec"],
    programs: ["ruby"],
    files: ["Gemfile", "Rakefile"],
  },
  php: { wasm: `${VSCODE}php.wasm`, extensions: ["php", "phtml"], programs: ["php"] },
  bash: {
    wasm: `${VSCODE}bash.wasm`,
    extensions: ["sh", "bash", "zsh", "ksh"],
    names: ["shell"],
    programs: ["sh", "bash", "zsh", "dash", "ksh", "ash"],
    files: [".bashrc", ".bash_profile", ".profile", ".zshrc"],
  },
  css: { wasm: `${VSCODE}css.wasm`, extensions: ["css"] },
  json: {
    wasm: "tree-sitter-json/tree-sitter-json.wasm",
    extensions: ["json", "jsonc", "webmanifest"],
  },
  html: { wasm: "tree-sitter-html/tree-sitter-html.wasm", extensions: ["html", "htm", "xhtml"] },
  toml: {
    wasm: "@tree-sitter-grammars/tree-sitter-toml/tree-sitter-toml.wasm",
    extensions: ["toml"],
    files: ["Cargo.lock", "poetry.lock", "uv.lock"],
  },
  lua: {
    wasm: "@tree-sitter-grammars/tree-sitter-lua/tree-sitter-lua.wasm",
    extensions: ["lua"],
    programs: ["lua", "luajit"],
  },
  yaml: {
    wasm: "@tree-sitter-grammars/tree-sitter-yaml/tree-sitter-yaml.wasm",
    extensions: ["yaml", "yml"],
  },
} as const satisfies Readonly<Record<string, Grammar>>;

/** A language that there is a grammar for. */
export type Language = keyof typeof GRAMMARS;

/** All of them, in the order in which they are told. */
export const LANGUAGES = Object.keys(GRAMMARS) as readonly Language[];

const RUNTIME = "web-tree-sitter/web-tree-sitter.wasm";

/** What is looked at of a file's start, in characters. */
const HEAD_CHARS_MAX = 20_000;

/** A header in which a line begins so is C++. */
const CPP_HEADER =
  /^[ \t]*(class\s+\w|namespace\s+\w|namespace\s*\{|template\s*<|using\s+\w|public:)/m;

/** The language of a file, by its name and else by its first line; undefined when there is no grammar for it. */
export function languageOf(path: string, text: string): Language | undefined {
  const name = basename(path);
  const language = byName(name);
  const head = text.slice(0, HEAD_CHARS_MAX);
  if (language === "c" && /\.h$/i.test(name) && CPP_HEADER.test(head)) return "cpp";
  return language ?? byProgram(head.split("\n", 1)[0] ?? "");
}

/** The language by its name alone: without a look at the file. */
export function byName(name: string): Language | undefined {
  const dot = name.lastIndexOf(".");
  const extension = dot < 0 ? "" : name.slice(dot + 1).toLowerCase();
  return LANGUAGES.find((language) => {
    const { extensions, files = [] }: Grammar = GRAMMARS[language];
    return files.includes(name) || extension !== "" && extensions.includes(extension);
  });
}

/** The language that somebody names: "python", "py", "C++". */
export function languageNamed(said: string): Language | undefined {
  const name = said.trim().toLowerCase().replace(/^\./, "");
  return LANGUAGES.find((language) => {
    const { extensions, names = [] }: Grammar = GRAMMARS[language];
    return language === name || names.includes(name) || extensions.includes(name);
  });
}

/** `#!/usr/bin/env -S python3.12 -u` is Python. */
function byProgram(line: string): Language | undefined {
  if (!line.startsWith("#!")) return undefined;
  const words = line.slice(2).trim().split(/\s+/).filter((word) => !/^-|=/.test(word));
  const names = words.map((word) => basename(word).replace(/(?<![\d.])[\d.]+$/, ""));
  const program = names[0] === "env" ? names[1] : names[0];
  if (program === undefined || program === "") return undefined;
  return LANGUAGES.find((language) => {
    const { programs = [] }: Grammar = GRAMMARS[language];
    return programs.includes(program);
  });
}

/** Where the WebAssembly of a grammar is. */
export function grammarUrl(language: Language): URL {
  return wasmUrl(GRAMMARS[language].wasm);
}

/** Where the WebAssembly of tree-sitter itself is. */
export function runtimeUrl(): URL {
  return wasmUrl(RUNTIME);
}

/** Every file of WebAssembly, for what a built program takes along: its name there, and where it is now. */
export function wasmFiles(): { name: string; url: URL }[] {
  const files = [RUNTIME, ...LANGUAGES.map((language) => GRAMMARS[language].wasm)];
  return files.map((file) => ({ name: basename(file), url: wasmUrl(file) }));
}

/** In the package that Deno has fetched; of a built program, in the folder beside this file. */
function wasmUrl(file: string): URL {
  return import.meta.url.endsWith(".ts")
    ? new URL(import.meta.resolve(file))
    : new URL(`./wasm/${basename(file)}`, import.meta.url);
}
