/** What to do about the failures of bubblewrap that most people meet. */

/** In this order: what bubblewrap says, and the sentence behind it. The words are those of 0.8 to 0.11. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /max_\S*namespaces/i,
    "The system allows no more namespaces; sysctl user.max_user_namespaces is their number",
  ],
  [
    /mount proc/i,
    "In a container /proc is covered; Docker shows it with --security-opt systempaths=unconfined",
  ],
  // Docker's profile of AppArmor lets a namespace be made and no mount in it.
  [
    /make \/ slave/i,
    "In a container AppArmor keeps mounts away; Docker lets them with --security-opt apparmor=unconfined",
  ],
  // Without the right to it inside, the namespace's own loopback is what fails first.
  [
    /uid map|new namespace|user namespace|RTM_NEWADDR/i,
    "User namespaces are closed to it; Ubuntu 24.04 opens them with an AppArmor profile for bwrap " +
    "(bwrap-userns-restrict of the package apparmor-profiles), Docker with --security-opt seccomp=unconfined",
  ],
];

/** A sentence to stand behind the problem, with what goes before it; "" where nothing is known. */
export function bwrapHint(problem: string): string {
  const hint = HINTS.find(([pattern]) => pattern.test(problem))?.[1];
  return hint === undefined ? "" : `. ${hint}`;
}
