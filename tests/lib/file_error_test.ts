import { deepStrictEqual as equal } from "node:assert/strict";
import { fileErrorReason, withSentence } from "@/lib/file_error.ts";

Deno.test("fileErrorReason() says which right harness itself was not given", () => {
  const refused = (kind: string) =>
    new Deno.errors.NotCapable(
      `Requires ${kind} access to "/x", run again with the --allow-${kind} flag`,
    );
  equal(fileErrorReason(refused("write")), "harness itself may not write there");
  equal(fileErrorReason(refused("net")), "harness itself was not given net access there");
  const error = withSentence(refused("read"), "Cannot read /x") as Error;
  equal(error.message, "Cannot read /x: harness itself was not given read access there");
});
