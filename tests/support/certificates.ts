/** Certificates for TLS servers in tests, made by openssl. */
import { ok } from "node:assert/strict";
import { join } from "node:path";

/** A certificate authority of our own and a certificate that it signed for a host. */
export async function makeCertificates(
  dir: string,
  host = "harness.test",
): Promise<{ cert: string; key: string; ca: string }> {
  await Deno.writeTextFile(
    join(dir, "ext"),
    `subjectAltName=DNS:${host}\nbasicConstraints=CA:FALSE\n`,
  );
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const steps = [
    [
      "req",
      "-x509",
      ...curve,
      "-keyout",
      "ca.key",
      "-out",
      "ca.pem",
      "-days",
      "30",
      "-subj",
      "/CN=Test CA",
    ],
    ["req", ...curve, "-keyout", "key.pem", "-out", "csr.pem", "-subj", `/CN=${host}`],
    [
      "x509",
      "-req",
      "-in",
      "csr.pem",
      "-CA",
      "ca.pem",
      "-CAkey",
      "ca.key",
      "-CAcreateserial",
      "-out",
      "cert.pem",
      "-days",
      "30",
      "-extfile",
      "ext",
    ],
  ];
  for (const args of steps) {
    const { success, stderr } = await new Deno.Command("openssl", {
      args,
      cwd: dir,
      stdout: "null",
      stderr: "piped",
    }).output();
    ok(success, new TextDecoder().decode(stderr));
  }
  return {
    cert: await Deno.readTextFile(join(dir, "cert.pem")),
    key: await Deno.readTextFile(join(dir, "key.pem")),
    ca: join(dir, "ca.pem"),
  };
}
