/** The person's own certificate authorities. */

/** They cannot be used; `why` is the end of a sentence. */
export class CertificateProblem extends Error {
  override readonly name = "CertificateProblem";

  constructor(path: string, why: string) {
    super(`Cannot use the certificates in "${path}": ${why}`);
  }
}

/** What to do about it. */
export const CERTIFICATE_HINT = "SSL_CERT_FILE must name a file of PEM certificates, or be unset";

/** The PEM text of the file that SSL_CERT_FILE names; undefined where it names none. Throws CertificateProblem. */
export async function readCertificates(path = ""): Promise<string | undefined> {
  if (path === "") return undefined;
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new CertificateProblem(path, error.message);
  }
  if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
  throw new CertificateProblem(path, "no PEM certificate is in it");
}
