/**
 * Calls every function of the addon many times, as it succeeds and as it fails, and prints for each a line with the
 * descriptors before and after. It runs in a mount namespace of its own, as root.
 */
import {
  constants as fs,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import * as native from "../../native/index.ts";
import { isSyscallError, type Fd, type Pid } from "../../native/index.ts";
import { sanitized } from "./child.ts";

type Name = {
  [Key in keyof typeof native]: (typeof native)[Key] extends
    ((...args: never[]) => unknown) | (abstract new (...args: never[]) => unknown)
    ? Key
    : never;
}[keyof typeof native];
type Round = () => void | Promise<void>;

const inFull = process.env["CORTEXFS_SOAK"] === "1";
/** Sanitizers look for other things than leaked descriptors: for those the plain build has the full count. */
const ROUNDS = sanitized && !inFull ? 1000 : 10_000;
/** A process takes milliseconds to start, far more of them under a sanitizer: its full count is for the soak. */
const PROCESS_ROUNDS = inFull ? ROUNDS : sanitized ? 100 : 1000;

const { AT_EMPTY_PATH, AT_FDCWD, AT_REMOVEDIR, MNT_DETACH, MOUNT_ATTR_NOEXEC, O_PATH, POLLIN } = native.constants;
const { CLONE_NEWUSER, CLONE_NEWUTS, CLOSE_RANGE_CLOEXEC, RENAME_NOREPLACE } = native.constants;
const cwd = AT_FDCWD as Fd;
const closed = 999_999 as Fd;
const nobody = 2147483647 as Pid;
const bytes = new Uint8Array(16);

/** Calls what must fail with this errno, and with no other. */
function fails(code: string, call: () => unknown): void {
  try {
    call();
  } catch (error) {
    if (isSyscallError(error, code)) return;
    throw error;
  }
  throw new Error(`expected ${code}`);
}

function must(condition: boolean, what: string): void {
  if (!condition) throw new Error(`expected ${what}`);
}

/** The answer of a call that does not throw: this number or more, or this negated errno. */
function says(answer: number, expected: number): void {
  must(expected < 0 ? answer === expected : answer >= expected, `${String(expected)} and not ${String(answer)}`);
}

const { EBADF, ENOTTY } = os.constants.errno;
const named = Buffer.from("file\0");
const arena = new Uint8Array(4096);
const big = new Uint8Array(native.FUSE_REQUEST_ROOM);
const shared = native.sealedMemory("cortexfs-test", 4096);

const folder = mkdtempSync("/dev/shm/cortexfs-descriptors-");
const at = (name: string): string => `${folder}/${name}`;
mkdirSync(at("mounted"));
writeFileSync(at("file"), "");
const dir = openSync(folder, fs.O_RDONLY | fs.O_DIRECTORY) as Fd;
const file = openSync(at("file"), "r+") as Fd;
const pathOnly = openSync(at("file"), O_PATH) as Fd;
native.fsetxattr(file, "trusted.there", bytes, 0);
native.symlinkat("file", dir, "link");
const pair = native.socketPair("stream");
const [here, there] = pair;
const lone = native.unixSocket("stream");
const listener = native.unixSocket("stream");
native.bind(listener, at("listener"));
native.listen(listener, 16);
const full = native.socketPair("stream");
while (native.send(full[0], new Uint8Array(1 << 16)) !== undefined);
const self = native.pidfdOpen(process.pid as Pid);

function spawnTrue(): native.Child {
  return native.spawn({ path: "/bin/true", argv: ["true"], environment: [], descriptors: [file] });
}

async function reap(child: native.Child): Promise<void> {
  {
    using readiness = new native.Readiness(child.pidfd);
    await readiness.readable(Infinity);
  }
  must(native.waitid({ pidfd: child.pidfd })?.kind === "exited", "an exit");
  native.close(child.pidfd);
}

const ended = spawnTrue();
while (native.waitid(ended, { peek: true }) === undefined);

const rounds: Record<Name, Round> = {
  SyscallError: () => {
    must(new native.SyscallError("close", 9).code === "EBADF", "a name");
  },
  isSyscallError: () => {
    must(!isSyscallError(new Error("x"), "EBADF"), "false");
  },
  peerCredentials: () => {
    native.peerCredentials(here);
    fails("ENOTSOCK", () => native.peerCredentials(file));
  },
  peerGroups: () => {
    native.peerGroups(here, 64);
    fails("ENODATA", () => native.peerGroups(lone, 64));
  },
  peerPidfd: () => {
    const outcome = native.peerPidfd(here);
    if (outcome.kind === "ok") native.close(outcome.pidfd);
    must(native.peerPidfd(lone).kind === "gone", "no peer");
  },
  pidfdInfo: () => {
    native.pidfdInfo(self);
    fails("EBADF", () => native.pidfdInfo(closed));
  },
  pidfdOpen: () => {
    native.close(native.pidfdOpen(process.pid as Pid));
    fails("ESRCH", () => native.pidfdOpen(nobody));
  },
  isAlive: () => {
    must(native.isAlive(self), "life");
    fails("EBADF", () => native.isAlive(closed));
  },
  pollNow: () => {
    native.pollNow(here, POLLIN);
    fails("EBADF", () => native.pollNow(closed, POLLIN));
  },
  unixSocket: () => {
    native.close(native.unixSocket("stream"));
    native.close(native.unixSocket("datagram"));
  },
  socketPair: () => {
    for (const type of ["stream", "datagram"] as const) native.socketPair(type).forEach(native.close);
  },
  bind: () => {
    const fd = native.unixSocket("stream");
    native.bind(fd, at("bound"));
    fails("EADDRINUSE", () => {
      native.bind(lone, at("listener"));
    });
    native.close(fd);
    unlinkSync(at("bound"));
  },
  listen: () => {
    native.listen(listener, 16);
    fails("EINVAL", () => {
      native.listen(lone, 16);
    });
  },
  refuseDescriptors: () => {
    native.refuseDescriptors(lone);
    fails("EBADF", () => native.refuseDescriptors(closed));
  },
  mayCarryDescriptors: () => {
    native.mayCarryDescriptors(here);
    fails("EBADF", () => native.mayCarryDescriptors(closed));
  },
  peek: () => {
    native.send(there, bytes, 0, 1);
    native.peek(here, bytes, 0, 1);
    native.receive(here, bytes, 0, 1);
    native.peek(here, bytes, 0, 1);
    fails("EBADF", () => native.peek(closed, bytes, 0, 1));
  },
  closeElsewhere: () => {
    const done = native.closeElsewhere(native.unixSocket("stream"));
    while (native.pollNow(done, POLLIN) === 0);
    native.close(done);
    fails("EBADF", () => native.closeElsewhere(closed));
  },
  connect: () => {
    const fd = native.unixSocket("stream");
    fails("ENOENT", () => {
      native.connect(fd, at("none"));
    });
    native.connect(fd, at("listener"));
    native.close(fd);
    native.close(native.accept(listener) ?? closed);
  },
  accept: () => {
    const fd = native.unixSocket("stream");
    native.connect(fd, at("listener"));
    const accepted = native.accept(listener);
    must(accepted !== undefined, "a connection");
    must(native.accept(listener) === undefined, "no other");
    fails("EINVAL", () => native.accept(lone));
    native.close(fd);
    native.close(accepted ?? closed);
  },
  shutdownWrite: () => {
    const [one, other] = native.socketPair("stream");
    native.shutdownWrite(one);
    fails("EBADF", () => {
      native.shutdownWrite(closed);
    });
    native.close(one);
    native.close(other);
  },
  send: () => {
    native.send(there, bytes);
    must(native.receive(here, bytes) === bytes.length, "all of it");
    must(native.send(full[0], bytes) === undefined, "no room");
    fails("ENOTCONN", () => native.send(lone, bytes));
  },
  receive: () => {
    native.sendDescriptor(there, bytes, file);
    must(native.receive(here, bytes) === bytes.length, "the bytes alone");
    must(native.receive(here, bytes) === undefined, "nothing more");
    fails("EBADF", () => native.receive(closed, bytes));
  },
  sendDescriptor: () => {
    native.sendDescriptor(there, bytes, file);
    native.receive(here, bytes);
    must(native.sendDescriptor(full[0], bytes, file) === undefined, "no room");
    fails("EBADF", () => native.sendDescriptor(there, bytes, closed));
  },
  receiveDescriptor: () => {
    native.sendDescriptor(there, bytes, file);
    const outcome = native.receiveDescriptor(here, bytes);
    if (outcome.kind !== "received") throw new Error(outcome.kind);
    native.close(outcome.descriptor);
    native.send(there, bytes);
    must(native.receiveDescriptor(here, bytes).kind === "bare", "bytes alone");
    must(native.receiveDescriptor(here, bytes).kind === "nothing yet", "nothing more");
    fails("EINVAL", () => native.receiveDescriptor(lone, bytes));
  },
  monotonicMillis: () => {
    must(native.monotonicMillis() > 0, "a time");
  },
  Readiness: async () => {
    using readiness = new native.Readiness(there);
    must((await readiness.writable(Infinity)) === "ready", "room");
    must((await readiness.readable(0)) === "timeout", "nothing to read");
    fails("EPERM", () => new native.Readiness(file));
  },
  close: () => {
    native.close(openSync("/dev/null", "r") as Fd);
    fails("EBADF", () => {
      native.close(closed);
    });
  },
  OwnedFd: () => {
    using _owned = new native.OwnedFd(openSync("/dev/null", "r") as Fd);
    using released = new native.OwnedFd(openSync("/dev/null", "r") as Fd);
    native.close(released.release());
  },
  openBeneath: () => {
    native.close(native.openBeneath(dir, "file", fs.O_RDWR));
    native.close(native.openBeneath(dir, "made", fs.O_RDWR | fs.O_CREAT, 0o600));
    native.unlinkat(dir, "made", 0);
    fails("ELOOP", () => native.openBeneath(dir, "link", fs.O_RDONLY));
    fails("EXDEV", () => native.openBeneath(dir, "..", fs.O_RDONLY));
  },
  mkdirat: () => {
    native.mkdirat(dir, "made", 0o700);
    fails("EEXIST", () => {
      native.mkdirat(dir, "made", 0o700);
    });
    native.unlinkat(dir, "made", AT_REMOVEDIR);
  },
  unlinkat: () => {
    native.linkat(dir, "file", dir, "made", 0);
    native.unlinkat(dir, "made", 0);
    fails("ENOENT", () => {
      native.unlinkat(dir, "made", 0);
    });
  },
  renameat2: () => {
    native.renameat2(dir, "file", dir, "renamed", RENAME_NOREPLACE);
    native.renameat2(dir, "renamed", dir, "file", 0);
    fails("EEXIST", () => {
      native.renameat2(dir, "file", dir, "link", RENAME_NOREPLACE);
    });
  },
  linkat: () => {
    native.linkat(file, "", dir, "made", AT_EMPTY_PATH);
    fails("EEXIST", () => {
      native.linkat(dir, "file", dir, "made", 0);
    });
    native.unlinkat(dir, "made", 0);
  },
  symlinkat: () => {
    native.symlinkat("to", dir, "made");
    fails("EEXIST", () => {
      native.symlinkat("to", dir, "made");
    });
    native.unlinkat(dir, "made", 0);
  },
  readlinkat: () => {
    must(native.readlinkat(dir, "link").length === 4, "the link");
    fails("EINVAL", () => native.readlinkat(dir, "file"));
  },
  fsync: () => {
    native.fsync(file);
    fails("EBADF", () => {
      native.fsync(pathOnly);
    });
  },
  statx: () => {
    native.statx(dir, "file", 0);
    fails("ENOENT", () => native.statx(dir, "none", 0));
  },
  fgetxattr: () => {
    native.fgetxattr(file, "trusted.there");
    fails("ENODATA", () => native.fgetxattr(file, "trusted.none"));
  },
  fsetxattr: () => {
    native.fsetxattr(file, "trusted.there", bytes, 0);
    fails("EBADF", () => {
      native.fsetxattr(pathOnly, "trusted.there", bytes, 0);
    });
  },
  flistxattr: () => {
    native.flistxattr(file);
    fails("EBADF", () => native.flistxattr(pathOnly));
  },
  fremovexattr: () => {
    native.fsetxattr(file, "trusted.made", bytes, 0);
    native.fremovexattr(file, "trusted.made");
    fails("ENODATA", () => {
      native.fremovexattr(file, "trusted.made");
    });
  },
  mount: () => {
    native.mount("cortexfs-test", at("mounted"), "tmpfs", 0);
    native.umount2(at("mounted"), MNT_DETACH);
    fails("ENODEV", () => {
      native.mount("cortexfs-test", at("mounted"), "no-such-type", 0);
    });
  },
  fuseExchange: () => {
    says(native.fuseExchange(here, big, 0, 0, 0, 1, 0), 0);
    says(native.fuseExchange(closed, big, 0, 0, 0, 1, 0), -EBADF);
  },
  fuseWrite: () => {
    says(native.fuseWrite(file, bytes, 0, 0), 0);
    says(native.fuseWrite(closed, bytes, 0, 1), -EBADF);
  },
  // To succeed takes a mount: see fuse.test.ts.
  fuseBackingOpen: () => {
    says(native.fuseBackingOpen(file, file), -ENOTTY);
  },
  fuseBackingClose: () => {
    says(native.fuseBackingClose(file, 1), -ENOTTY);
  },
  attributesAt: () => {
    says(native.attributesAt(dir, named, 0, arena, 0, 0), 0);
    says(native.attributesAt(closed, named, 0, arena, 0, 0), -EBADF);
  },
  attributesOf: () => {
    says(native.attributesOf(file, arena, 0, 0), 0);
    says(native.attributesOf(closed, arena, 0, 0), -EBADF);
  },
  fileDevice: () => {
    says(native.fileDevice(file), 0);
    says(native.fileDevice(closed), -EBADF);
  },
  openAt: () => {
    native.close(native.openAt(dir, named, 0, fs.O_RDONLY, 0) as Fd);
    says(native.openAt(closed, named, 0, fs.O_RDONLY, 0), -EBADF);
  },
  readAt: () => {
    says(native.readAt(file, arena, 0, 1, 0), 0);
    says(native.readAt(closed, arena, 0, 1, 0), -EBADF);
  },
  writeAt: () => {
    says(native.writeAt(file, arena, 0, 0, 0, true), 0);
    says(native.writeAt(closed, arena, 0, 1, 0, false), -EBADF);
  },
  directoryEntries: () => {
    says(native.directoryEntries(dir, arena, 0, 4096, 0, 0, true, 0), 0);
    says(native.directoryEntries(closed, arena, 0, 4096, 0, 0, false, 0), -EBADF);
  },
  fileSystemStatistics: () => {
    says(native.fileSystemStatistics(file, arena, 0), 0);
    says(native.fileSystemStatistics(closed, arena, 0), -EBADF);
  },
  changeOwnerAt: () => {
    says(native.changeOwnerAt(dir, named, 0, 0, 0), 0);
    says(native.changeOwnerAt(closed, named, 0, 0, 0), -EBADF);
  },
  changeOwner: () => {
    says(native.changeOwner(file, 0, 0), 0);
    says(native.changeOwner(closed, 0, 0), -EBADF);
  },
  changeMode: () => {
    says(native.changeMode(file, 0o600), 0);
    says(native.changeMode(closed, 0o600), -EBADF);
  },
  setTimesAt: () => {
    says(native.setTimesAt(dir, named, 0, 1, 0, 1, 0), 0);
    says(native.setTimesAt(closed, named, 0, 1, 0, 1, 0), -EBADF);
  },
  setTimes: () => {
    says(native.setTimes(file, 1, 0, 1, 0), 0);
    says(native.setTimes(closed, 1, 0, 1, 0), -EBADF);
  },
  truncateFile: () => {
    says(native.truncateFile(file, 0), 0);
    says(native.truncateFile(closed, 0), -EBADF);
  },
  seek: () => {
    says(native.seek(file, 0, 0), 0);
    says(native.seek(closed, 0, 0), -EBADF);
  },
  allocate: () => {
    says(native.allocate(file, 0, 0, 1), 0);
    says(native.allocate(closed, 0, 0, 1), -EBADF);
  },
  writeInPool: async () => {
    says(await native.writeInPool(file, new Uint8Array(0)), 0);
    says(await native.writeInPool(closed, bytes), -EBADF);
  },
  allocateInPool: async () => {
    says(await native.allocateInPool(file, 0, 0, 1), 0);
    says(await native.allocateInPool(closed, 0, 0, 1), -EBADF);
  },
  sealedMemory: () => {
    native.close(native.sealedMemory("cortexfs-test", 4096));
    fails("EINVAL", () => native.sealedMemory("x".repeat(250), 1));
  },
  memorySeals: () => {
    says(native.memorySeals(shared), 1);
    fails("EBADF", () => native.memorySeals(closed));
  },
  mapShared: () => {
    must(native.mapShared(shared, 4096).byteLength === 4096, "a page");
    fails("EINVAL", () => native.mapShared(shared, 4097));
  },
  mountSetattr: () => {
    native.mountSetattr(cwd, "/dev/shm", 0, { set: MOUNT_ATTR_NOEXEC });
    native.mountSetattr(cwd, "/dev/shm", 0, { clear: MOUNT_ATTR_NOEXEC });
    fails("EBADF", () => {
      native.mountSetattr(closed, "", AT_EMPTY_PATH, { set: MOUNT_ATTR_NOEXEC });
    });
  },
  umount2: () => {
    native.mount(at("mounted"), at("mounted"), "", native.constants.MS_BIND);
    native.umount2(at("mounted"), 0);
    fails("EINVAL", () => {
      native.umount2(at("mounted"), 0);
    });
  },
  setDumpable: () => {
    native.setDumpable(false);
    native.setDumpable(true);
  },
  isDumpable: () => {
    must(native.isDumpable(), "dumpable");
  },
  setNoNewPrivileges: () => {
    native.setNoNewPrivileges();
  },
  hasNoNewPrivileges: () => {
    native.hasNoNewPrivileges();
  },
  setChildSubreaper: () => {
    native.setChildSubreaper(true);
    native.setChildSubreaper(false);
  },
  isChildSubreaper: () => {
    must(!native.isChildSubreaper(), "none");
  },
  setParentDeathSignal: () => {
    native.setParentDeathSignal(0);
    fails("EINVAL", () => {
      native.setParentDeathSignal(99);
    });
  },
  parentDeathSignal: () => {
    must(native.parentDeathSignal() === 0, "none");
  },
  closeRange: () => {
    native.closeRange(3, 2 ** 32 - 1, CLOSE_RANGE_CLOEXEC);
    fails("EINVAL", () => {
      native.closeRange(2, 1, 0);
    });
  },
  unshare: () => {
    native.unshare(CLONE_NEWUTS);
    fails("EINVAL", () => {
      native.unshare(CLONE_NEWUSER);
    });
  },
  // To succeed is to be gone; what it leaves open then is the subject of execve.test.ts.
  execve: () => {
    fails("ENOENT", () => native.execve(at("none"), ["x"], [], [file, here]));
    fails("EBADF", () => native.execve("/bin/true", ["x"], [], [closed]));
  },
  spawn: async () => {
    await reap(spawnTrue());
    const request = { path: "/bin/true", argv: ["true"], environment: [], descriptors: [file, here] };
    fails("ENOENT", () => native.spawn({ ...request, path: at("none") }));
    fails("EBADF", () => native.spawn({ ...request, descriptors: [file, closed] }));
  },
  waitid: () => {
    must(native.waitid(ended, { peek: true }) !== undefined, "an end");
    fails("ECHILD", () => native.waitid({ pid: process.pid as Pid }));
  },
};

/** Every open descriptor and what it is, but for the one this very look opens. */
function open(): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return [`${fd} ${readlinkSync(`/proc/self/fd/${fd}`)}`];
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
      throw error;
    }
  });
}

const processes = process.argv[2] === "processes";
const count = processes ? PROCESS_ROUNDS : ROUNDS;
for (const name of (Object.keys(rounds) as Name[]).filter((one) => processes === (one === "spawn"))) {
  // The first round may make something that stays, such as the event loop's own descriptors.
  await rounds[name]();
  const before = open();
  const started = native.monotonicMillis();
  for (let round = 0; round < count; round++) await rounds[name]();
  const millis = Math.round(native.monotonicMillis() - started);
  console.log(JSON.stringify({ name, rounds: count, millis, before, after: open() }));
}
await reap(ended);
rmSync(folder, { recursive: true });
