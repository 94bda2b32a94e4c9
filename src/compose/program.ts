/** What the program calls itself where it introduces itself. */
import { VERSION } from "@/version.ts";

export const PROGRAM: { readonly name: string; readonly version: string } = {
  name: "harness",
  version: VERSION,
};
