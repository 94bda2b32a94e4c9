/** System calls that a command inside the sandbox may not make, with their numbers on the two machines we know. */

/** Machines whose numbers are known; anything else gets no sandbox. */
export type Machine = "x86_64" | "aarch64";

/** Numbers of one call: on x86_64, on aarch64. Undefined where the machine has no such call. */
type Numbers = readonly [x86_64: number | undefined, aarch64: number | undefined];

/**
 * Refused with EPERM. Some of them need a capability that is dropped as well; they stand here because a nested user
 * namespace would give the capability back, and because each is a large piece of kernel that no build or test needs.
 */
export const REFUSED: Readonly<Record<string, Numbers>> = {
  // Another process of ours, or bubblewrap's own process 1, which runs without this filter.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  // Nested namespaces and mounts: `unshare -Ur` worked inside another sandbox as root (measured).
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_tree_attr: [467, 467],
  // Programs inside the kernel, and memory that hands faults to user space.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  // Keyrings are not in any namespace: they hold the person's tickets and disk keys.
  keyctl: [250, 219],
  add_key: [248, 217],
  request_key: [249, 218],
  // The machine itself.
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  syslog: [103, 116],
  iopl: [172, undefined],
  ioperm: [173, undefined],
  vhangup: [153, 58],
  lookup_dcookie: [212, 18],
  open_by_handle_at: [304, 265],
  fanotify_init: [300, 262],
};

/** Answered with ENOSYS, as by a kernel without them, because programs then take the older way. */
export const ABSENT: Readonly<Record<string, Numbers>> = {
  // Its flags lie in memory that a filter cannot read; libraries go back to clone.
  clone3: [435, 435],
  // Does system calls past every filter.
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
};

/** Looked at by their arguments. */
export const LOOKED_AT = { clone: [56, 220], ioctl: [16, 29], socket: [41, 198] } as const;

/** The number of a call on a machine. */
export function numberOn(machine: Machine, [x86, arm]: Numbers): number | undefined {
  return machine === "x86_64" ? x86 : arm;
}
