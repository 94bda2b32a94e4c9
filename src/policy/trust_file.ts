/** trust.json: project (real path) → file → hash of its trusted contents. Loaded where there is one. */
import * as z from "zod";

export const trustFile = z.record(z.string(), z.record(z.string(), z.string()));

export type TrustFile = z.infer<typeof trustFile>;
