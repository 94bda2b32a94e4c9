/** Who may change what: a file is held by one agent at a time. */
import { startOf } from "@/lib/clip.ts";
import type { Sql } from "./database.ts";
import { isBelow } from "./path_key.ts";
import { agentRows, type Claim, claimRows } from "./rows.ts";

/** What is to be held. */
export type Wanted = { key: string; path: string };

/** How it is to be held. */
export type Terms = {
  uid: string;
  kind: Claim["kind"];
  reason: string;
  now: number;
  until: number;
};

/** A claim in the way, and who holds it. */
export type Held = Claim & { holder: string };

/** All of them, or none: what another agent holds is in the way. `added`: those that were not held before. */
export type Taken =
  | { ok: true; added: readonly Wanted[] }
  | { ok: false; held: readonly Held[] };

const REASON_CHARS_MAX = 200;

/** Take them in one step. A claim of one's own becomes longer and never shorter; one that was asked for stays one. */
export function takeClaims(sql: Sql, wanted: readonly Wanted[], terms: Terms): Taken {
  const { uid } = terms;
  const claims = claimRows(sql);
  const held = inTheWay(sql, claims.filter((claim) => claim.uid !== uid), { wanted, terms });
  if (held.length > 0) return { ok: false, held };
  const own = new Map(claims.map((claim) => [claim.key, claim]));
  for (const one of wanted) {
    const before = own.get(one.key);
    const stays = before?.kind === "claim" && terms.kind === "write";
    sql.prepare(
      "INSERT OR REPLACE INTO claims (key, path, uid, kind, reason, at, until) VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
      .run(
        ...[one.key, one.path, uid] as const,
        stays ? before.kind : terms.kind,
        startOf(stays ? before.reason : terms.reason, REASON_CHARS_MAX),
        before?.at ?? terms.now,
        Math.max(before?.until ?? 0, terms.until),
      );
  }
  return { ok: true, added: wanted.filter(({ key }) => !own.has(key)) };
}

/** Claims of others that one has to respect. */
export function heldByOthers(sql: Sql, wanted: readonly Wanted[], uid: string): Held[] {
  const others = claimRows(sql).filter((claim) => claim.uid !== uid);
  return inTheWay(sql, others, { wanted, terms: { kind: "write" } });
}

function inTheWay(
  sql: Sql,
  others: readonly Claim[],
  { wanted, terms: { kind } }: { wanted: readonly Wanted[]; terms: Pick<Terms, "kind"> },
): Held[] {
  const clashing = others.filter((claim) =>
    wanted.some(({ key }) =>
      key === claim.key ||
      claim.kind === "claim" && isBelow(key, claim.key) ||
      kind === "claim" && isBelow(claim.key, key)
    )
  );
  if (clashing.length === 0) return [];
  const names = new Map(agentRows(sql).map(({ uid, id }) => [uid, id]));
  return clashing.map((claim) => ({ ...claim, holder: names.get(claim.uid) ?? "another agent" }));
}
