/** Our own lint rules: the layers, sizes, reaches and habits that src/README.md names and every commit must keep. */
import { usingKept } from "./bundled.ts";
import { documentedExports, emptyCatch, fileNames, joinedCommand, namedExports } from "./habits.ts";
import { importPaths, layers } from "./layers.ts";
import { lightFeatures, lightImports } from "./light.ts";
import { environment, network, printing, processStart } from "./reach.ts";
import { linearRegex } from "./regexes.ts";
import { fileLength, functionLength } from "./size.ts";

// Deno loads a plugin as the default export of its module.
// deno-lint-ignore harness/named-exports
export default {
  name: "harness",
  rules: {
    "layers": layers,
    "import-paths": importPaths,
    "light-imports": lightImports,
    "light-features": lightFeatures,
    "file-length": fileLength,
    "function-length": functionLength,
    "process-start": processStart,
    "printing": printing,
    "network": network,
    "environment": environment,
    "empty-catch": emptyCatch,
    "named-exports": namedExports,
    "documented-exports": documentedExports,
    "file-names": fileNames,
    "joined-command": joinedCommand,
    "using-kept": usingKept,
    "linear-regex": linearRegex,
  },
} satisfies Deno.lint.Plugin;
