import { equal, rejects } from "node:assert/strict";
import { join } from "node:path";
import { CertificateProblem, readCertificates } from "@/lib/certificates.ts";
import { withWorkspace } from "../support/workspace.ts";

Deno.test("readCertificates() reads PEM, and names the file and the cause where it cannot", () =>
  withWorkspace(async (dir) => {
    const path = join(dir, "ca.pem");
    equal(await readCertificates(undefined), undefined);
    equal(await readCertificates(""), undefined);
    const refused = async (cause: RegExp) =>
      await rejects(readCertificates(path), (error) => {
        if (!(error instanceof CertificateProblem)) return false;
        return error.message.startsWith(`Cannot use the certificates in "${path}": `) &&
          cause.test(error.message);
      });
    await refused(/No such file/);
    await Deno.writeTextFile(path, "no certificate");
    await refused(/no PEM certificate is in it/);
    const pem = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n";
    await Deno.writeTextFile(path, pem);
    equal(await readCertificates(path), pem);
  }));
