/** Forty starts over a damaged state directory: each file that holds rights or state, in each way that it can be damaged. */
import type { Attack, Check } from "./case_file.ts";

/** Files, and whether the person is told of one that cannot be used. */
const FILES: Readonly<Record<string, boolean>> = {
  "permissions.json": true,
  "settings.json": true,
  "providers.json": true,
  "trust.json": true,
  // Nothing of it is used before a session is asked for, or before the feature that it belongs to is there.
  "sessions/20260101_000000.jsonl": false,
};

const DAMAGES: readonly string[] = [
  "truncated",
  "NUL bytes",
  "random bytes",
  "20 MB of [",
  "depth 100000",
  "pipe",
  "directory",
  "planted link",
];

const NEVER: readonly Check[] = [
  { check: "crash" },
  { check: "timeout" },
  { check: "state_overwritten" },
  { check: "rule_active", rule: "run_cmd" },
  { check: "file_exists", path: "{OUT}/target" },
];

/** All of them, as attacks. */
export function damagedStarts(): Attack[] {
  return Object.entries(FILES).flatMap(([file, isTold], row) =>
    DAMAGES.map((damage, at): Attack => ({
      id: `SD-${String(row * DAMAGES.length + at + 1).padStart(3, "0")}`,
      component: "state-damage",
      title: `${file}: ${damage}`,
      needs: [],
      mode: { sandbox: "absent", automode: false, tty: true, trusted: false },
      setup: { state_faults: [`${file}: ${damage}`] },
      input: { start: "harness" },
      must_not: [...NEVER],
      must: [
        { check: "harness_alive" },
        { check: "within_ms", ms: 5_000 },
        ...(isTold ? [{ check: "notice", contains: file }] : []),
      ],
    }))
  );
}
