// A filter of system calls for what namespaces do not hold: the kernel's rings of keys and sockets to the machine around
// a virtual one go past the network namespace, and a few large interfaces of the kernel are in no use of a command.
//
// It is a program of classic BPF as seccomp(2) takes it: 8 bytes an instruction, run for each call. What it refuses
// fails with EPERM, or with EAFNOSUPPORT for a kind of socket, as on a system that lacks it.

interface Machine {
  /** AUDIT_ARCH_… of linux/audit.h. */
  readonly audit: number
  readonly socket: number
  /** add_key, request_key, keyctl, bpf, perf_event_open, userfaultfd. */
  readonly refused: readonly number[]
}

/** Numbers of the kernel's tables of system calls, by the name that Node gives the machine. */
const machines: ReadonlyMap<string, Machine> = new Map([
  ['x64', { audit: 0xc000003e, socket: 41, refused: [248, 249, 250, 321, 298, 323] }],
  ['arm64', { audit: 0xc00000b7, socket: 198, refused: [217, 218, 219, 280, 241, 282] }],
])

/** io_uring_setup, _enter and _register have one number on all machines; through them sockets are made unseen. */
const ringCalls = [425, 426, 427]
/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. */
const socketFamilies = [1, 2, 10, 16]
/** On x64 from here on: the same calls by other numbers (x32). */
const otherNumbers = 0x40000000

/** Codes of instructions: load a word of the call, jump if equal, jump if at least, return. */
const [load, jumpEqual, jumpAtLeast, end] = [0x20, 0x15, 0x35, 0x06] as const
/** Where the call keeps its number, its machine, and the lower half of its first argument. */
const [numberAt, machineAt, firstArgumentAt] = [0, 4, 16] as const
const allow = 0x7fff0000
const failWith = (errno: number): number => 0x00050000 + errno
const [notPermitted, noSuchFamily] = [failWith(1), failWith(97)]

/** The filter for a machine, as it is handed to bubblewrap. Undefined: the machine is not known, and has none. */
export function systemCallFilter(machine: string = process.arch): Buffer | undefined {
  const known = machines.get(machine)
  if (known === undefined) return undefined
  const refused = [...known.refused, ...ringCalls]
  // Jumps count the instructions between; each is followed by its own answer, so that none is far.
  const program = [
    [load, 0, 0, machineAt],
    // Calls of another machine, such as the 32-bit ones of x64, have numbers of their own.
    [jumpEqual, 1, 0, known.audit],
    [end, 0, 0, notPermitted],
    [load, 0, 0, numberAt],
    [jumpAtLeast, 0, 1, otherNumbers],
    [end, 0, 0, notPermitted],
    ...refused.flatMap((call) => [
      [jumpEqual, 0, 1, call],
      [end, 0, 0, notPermitted],
    ]),
    [jumpEqual, 1, 0, known.socket],
    [end, 0, 0, allow],
    [load, 0, 0, firstArgumentAt],
    ...socketFamilies.flatMap((family) => [
      [jumpEqual, 0, 1, family],
      [end, 0, 0, allow],
    ]),
    [end, 0, 0, noSuchFamily],
  ] as const
  const bytes = Buffer.alloc(program.length * 8)
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(ifTrue, index * 8 + 2)
    bytes.writeUInt8(ifFalse, index * 8 + 3)
    bytes.writeUInt32LE(value, index * 8 + 4)
  }
  return bytes
}
