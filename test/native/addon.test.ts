import { Worker } from "node:worker_threads";
import os from "node:os";
import t from "tap";
import { addon, type Addon, type ConstantName } from "../../native/addon.ts";
import { workerOptions } from "./child.ts";

const { EBADF, EINVAL, ENAMETOOLONG, E2BIG } = os.constants.errno;

type FunctionName = Exclude<keyof Addon, "constants">;
const functions = addon as unknown as Readonly<Record<FunctionName, (...args: unknown[]) => unknown>>;

/** One parameter: a value its function takes, values of a wrong type, and numbers out of its range. */
interface Parameter {
  readonly right: () => unknown;
  readonly wrong: readonly unknown[];
  readonly out: readonly number[];
}

const anything = [undefined, null, Symbol("x"), 1n, {}, new Date()];
const strange = [NaN, Infinity, -Infinity, 0.5, 2 ** 64, -(2 ** 63)];

function number(right: number, least: number, most: number): Parameter {
  return { right: () => right, wrong: [...anything, "1", true, [1]], out: [...strange, least - 1, most + 1] };
}

const int = number(-1, -(2 ** 31), 2 ** 31 - 1);
const unsigned = number(0, 0, 2 ** 32 - 1);
const events = number(1, 0, 32767);
const slot = number(0, 0, 1);
const timeout = number(5, -1, 2 ** 53 - 1);
const room = new Uint8Array(10);
const offset = number(4, 0, room.length);
const length = number(2, 0, room.length - 4);
const path: Parameter = {
  right: () => "nowhere/at/all",
  wrong: [...anything, 1, true, [], new Uint16Array(4)],
  out: [],
};
const bytes: Parameter = {
  right: () => room,
  wrong: [
    ...anything,
    "x",
    1,
    true,
    [1],
    new ArrayBuffer(4),
    new Int8Array(4),
    new Uint8ClampedArray(4),
    new DataView(new ArrayBuffer(4)),
  ],
  out: [],
};
const safe = 2 ** 53 - 1;
const size = number(0, 0, safe);
const seconds = number(0, -safe, safe);
const within = number(0, 0, room.length);
const spin = number(0, 0, 1_000_000);
const name: Parameter = { ...bytes, right: () => Buffer.from("x\0") };
const nameAt = number(0, 0, 2);
/** Exactly as long as what is put there, so that only offset 0 is right. */
const attributes: Parameter = { ...bytes, right: () => new Uint8Array(88) };
const statistics: Parameter = { ...bytes, right: () => new Uint8Array(80) };
const start = number(0, 0, 0);
const boolean: Parameter = { right: () => false, wrong: [...anything, 0, "true", []], out: [] };
const strings: Parameter = {
  right: () => ["a"],
  wrong: [...anything, "a", 1, [1], ["a", undefined], { length: 1, 0: "a" }],
  out: [],
};
const descriptors: Parameter = {
  right: () => [0],
  wrong: [...anything, 1, ["0"], [0, null], new Int32Array(1)],
  out: [],
};
const callback: Parameter = { right: () => () => undefined, wrong: [...anything, "x", 1, true], out: [] };
const pair = addon.socketPair(addon.constants.SOCK_STREAM) as [number, number];
const opened = addon.readinessOpen(pair[0], () => undefined) as object;
const handle: Parameter = {
  right: () => opened,
  wrong: [...anything, 1, "x", [], () => 1, Object.create(null)],
  out: [],
};

t.teardown(() => {
  addon.readinessClose(opened);
  for (const fd of pair) addon.close(fd);
});

const parameters: Record<FunctionName, readonly Parameter[]> = {
  errnoName: [int],
  peerCredentials: [int],
  peerGroups: [int, unsigned],
  peerPidfd: [int],
  pidfdInfo: [int],
  pidfdOpen: [int],
  pollNow: [int, events],
  unixSocket: [int],
  socketPair: [int],
  bind: [int, path],
  listen: [int, int],
  connect: [int, path],
  accept: [int],
  shutdownWrite: [int],
  setPassRights: [int, boolean],
  passRights: [int],
  peek: [int, bytes, offset, length],
  closeElsewhere: [int],
  send: [int, bytes, offset, length],
  receive: [int, bytes, offset, length],
  sendDescriptor: [int, bytes, int],
  receiveDescriptor: [int, bytes],
  readinessOpen: [int, callback],
  readinessStart: [handle, slot, timeout],
  readinessStop: [handle, slot],
  readinessClose: [handle],
  openBeneath: [int, path, unsigned, unsigned],
  close: [int],
  mkdirat: [int, path, unsigned],
  unlinkat: [int, path, int],
  renameat2: [int, path, int, path, unsigned],
  linkat: [int, path, int, path, int],
  symlinkat: [path, int, path],
  readlinkat: [int, path],
  fsync: [int],
  statx: [int, path, int],
  fgetxattr: [int, path],
  fsetxattr: [int, path, bytes, int],
  flistxattr: [int],
  fremovexattr: [int, path],
  mount: [path, path, path, unsigned, path],
  mountSetattr: [int, path, unsigned, unsigned, unsigned, unsigned],
  umount2: [path, int],
  fuseExchange: [int, bytes, offset, length, within, unsigned, spin],
  fuseWrite: [int, bytes, offset, length],
  fuseBackingOpen: [int, int],
  fuseBackingClose: [int, unsigned],
  attributesAt: [int, name, nameAt, attributes, start, size],
  attributesOf: [int, attributes, start, size],
  fileDevice: [int],
  openAt: [int, name, nameAt, int, unsigned],
  readAt: [int, bytes, offset, length, size],
  writeAt: [int, bytes, offset, length, size, boolean],
  directoryEntries: [int, bytes, offset, length, unsigned, unsigned, boolean, size],
  fileSystemStatistics: [int, statistics, start],
  changeOwnerAt: [int, name, nameAt, unsigned, unsigned],
  changeOwner: [int, unsigned, unsigned],
  changeMode: [int, unsigned],
  setTimesAt: [int, name, nameAt, seconds, unsigned, seconds, unsigned],
  setTimes: [int, seconds, unsigned, seconds, unsigned],
  truncateFile: [int, size],
  seek: [int, seconds, int],
  allocate: [int, int, size, size],
  writeInPool: [int, bytes],
  allocateInPool: [int, int, size, size],
  sealedMemory: [path, size],
  memorySeals: [int],
  mapShared: [int, size],
  prctl: [int, unsigned],
  closeRange: [unsigned, unsigned, int],
  unshare: [int],
  execve: [path, strings, strings, descriptors],
  spawn: [path, strings, strings, descriptors, boolean, int, path, path],
  waitid: [unsigned, unsigned, int],
  monotonicMillis: [],
};
const names = Object.keys(parameters) as FunctionName[];

/** Calls a function with right arguments, save those at the places given. */
function call(name: FunctionName, replaced: Readonly<Record<number, unknown>> = {}): unknown {
  const args = parameters[name].map((parameter, place) => (place in replaced ? replaced[place] : parameter.right()));
  return functions[name](...args);
}

function places(kind: Parameter): [FunctionName, number][] {
  return names.flatMap((name) =>
    parameters[name].flatMap((parameter, place): [FunctionName, number][] =>
      parameter === kind ? [[name, place]] : [],
    ),
  );
}

t.test("the addon has exactly the functions of its contract", (t) => {
  t.strictSame(Object.keys(addon).sort(), [...names, "constants"].sort());
  t.end();
});

t.test("an argument of the wrong type, or none, throws a TypeError before any system call", (t) => {
  for (const name of names) {
    for (const [place, parameter] of parameters[name].entries()) {
      for (const value of parameter.wrong) {
        t.throws(() => call(name, { [place]: value }), TypeError, `${name} argument ${String(place + 1)}`);
      }
    }
    if (parameters[name].length > 0) t.throws(() => functions[name](), TypeError, `${name}()`);
  }
  t.end();
});

t.test("a number that is out of range or not whole throws a RangeError and never wraps", (t) => {
  for (const name of names) {
    for (const [place, parameter] of parameters[name].entries()) {
      for (const value of parameter.out) {
        t.throws(
          () => call(name, { [place]: value }),
          RangeError,
          `${name} argument ${String(place + 1)}: ${String(value)}`,
        );
      }
    }
  }
  for (const value of [...strange, 2 ** 31]) {
    t.throws(() => call("spawn", { 3: [0, value] }), RangeError, `spawn, descriptor ${String(value)}`);
    t.throws(() => call("execve", { 3: [value] }), RangeError, `execve, descriptor ${String(value)}`);
  }
  t.end();
});

t.test("offset and length must lie inside the array, whichever of them leaves it", (t) => {
  for (const name of ["send", "receive"] as const) {
    for (const [from, count] of [
      [0, 11],
      [10, 1],
      [11, 0],
      [5, 6],
      [2 ** 32, 1],
      [1, 2 ** 32 - 1],
    ]) {
      t.throws(() => call(name, { 2: from, 3: count }), RangeError, `${name} ${String(from)} + ${String(count)}`);
    }
    t.equal(call(name, { 2: 0, 3: 10 }), -EBADF);
    t.equal(call(name, { 1: new Uint8Array(10).subarray(4, 6), 2: 1, 3: 1 }), -EBADF);
    t.throws(() => call(name, { 1: new Uint8Array(10).subarray(4, 6), 2: 1, 3: 2 }), RangeError);
  }
  t.end();
});

t.test("a NUL inside a path, name or map is EINVAL, as a string and as bytes", (t) => {
  for (const [name, place] of places(path)) {
    for (const value of ["a\0b", "a\0", "\0", Buffer.from("a\0b")]) {
      t.equal(call(name, { [place]: value }), -EINVAL, `${name} argument ${String(place + 1)}`);
    }
  }
  for (const [name, place] of places(strings)) {
    t.equal(call(name, { [place]: ["a", "b\0c"] }), -EINVAL, `${name} argument ${String(place + 1)}`);
    t.equal(call(name, { [place]: [Buffer.from("\0")] }), -EINVAL, `${name} argument ${String(place + 1)}`);
  }
  t.end();
});

t.test("a path of PATH_MAX bytes or more is ENAMETOOLONG, and one byte less reaches the kernel", (t) => {
  for (const [name, place] of places(path)) {
    for (const value of ["x/".repeat(2048), "é".repeat(2048), Buffer.alloc(4096, "x"), "y".repeat(1 << 20)]) {
      t.equal(call(name, { [place]: value }), -ENAMETOOLONG, `${name} argument ${String(place + 1)}`);
    }
  }
  const longest = "x/".repeat(2047) + "x";
  t.equal(longest.length, 4095);
  t.equal(call("statx", { 0: addon.constants.AT_FDCWD, 1: longest, 2: 0 }), -os.constants.errno.ENOENT);
  t.end();
});

t.test("a type error wins over a path that is refused before it", (t) => {
  t.throws(() => call("mkdirat", { 1: "a\0b", 2: "0" }), TypeError);
  t.throws(() => call("mkdirat", { 1: "a\0b", 2: -1 }), RangeError);
  t.end();
});

t.test("lists of strings and descriptors are bounded", (t) => {
  for (const [name, place] of places(strings)) {
    t.equal(call(name, { [place]: Array<string>(4097).fill("") }), -E2BIG, `${name}: 4097 entries`);
    t.equal(call(name, { [place]: ["x".repeat(1 << 20), "x".repeat(1 << 20)] }), -E2BIG, `${name}: over 2 MiB`);
  }
  for (const [name, place] of places(descriptors)) {
    t.equal(call(name, { [place]: Array<number>(65).fill(0) }), -E2BIG, `${name}: 65 descriptors`);
  }
  t.equal(call("spawn", { 1: [] }), -EINVAL, "argv is never empty");
  t.equal(call("execve", { 1: [] }), -EINVAL, "argv is never empty");
  t.end();
});

t.test("what a getter of an argument throws comes out", (t) => {
  const thrown = new Error("from the getter");
  const get = (): never => {
    throw thrown;
  };
  for (const [name, place] of places(strings)) {
    t.throws(() => call(name, { [place]: Object.defineProperty(["a", "b"], 1, { get }) }), thrown, name);
  }
  for (const [name, place] of places(descriptors)) {
    t.throws(() => call(name, { [place]: Object.defineProperty([0, 1], 1, { get }) }), thrown, name);
  }
  t.end();
});

t.test("prctl takes no option whose argument would be an address", (t) => {
  const PR_SET_NAME = 15;
  const PR_SET_MM = 35;
  for (const option of [0, PR_SET_NAME, PR_SET_MM, 2 ** 31 - 1, -1]) t.equal(call("prctl", { 0: option }), -EINVAL);
  t.end();
});

t.test("the constants are the kernel's", (t) => {
  const kernel: Record<ConstantName, number> = {
    AT_EMPTY_PATH: 0x1000,
    AT_FDCWD: -100,
    AT_RECURSIVE: 0x8000,
    AT_REMOVEDIR: 0x200,
    AT_SYMLINK_NOFOLLOW: 0x100,
    CLD_DUMPED: 3,
    CLD_EXITED: 1,
    CLD_KILLED: 2,
    CLONE_NEWCGROUP: 0x02000000,
    CLONE_NEWIPC: 0x08000000,
    CLONE_NEWNET: 0x40000000,
    CLONE_NEWNS: 0x00020000,
    CLONE_NEWPID: 0x20000000,
    CLONE_NEWUSER: 0x10000000,
    CLONE_NEWUTS: 0x04000000,
    CLOSE_RANGE_CLOEXEC: 4,
    F_SEAL_GROW: 4,
    F_SEAL_SEAL: 1,
    F_SEAL_SHRINK: 2,
    MNT_DETACH: 2,
    MOUNT_ATTR_NODEV: 4,
    MOUNT_ATTR_NOEXEC: 8,
    MOUNT_ATTR_NOSUID: 2,
    MOUNT_ATTR_RDONLY: 1,
    MS_BIND: 4096,
    MS_NODEV: 4,
    MS_NOEXEC: 8,
    MS_NOSUID: 2,
    MS_PRIVATE: 1 << 18,
    MS_RDONLY: 1,
    MS_REC: 16384,
    MS_REMOUNT: 32,
    O_PATH: 0o10000000,
    POLLHUP: 0x10,
    POLLIN: 1,
    POLLOUT: 4,
    POLLRDHUP: 0x2000,
    PR_GET_CHILD_SUBREAPER: 37,
    PR_GET_DUMPABLE: 3,
    PR_GET_NO_NEW_PRIVS: 39,
    PR_GET_PDEATHSIG: 2,
    PR_SET_CHILD_SUBREAPER: 36,
    PR_SET_DUMPABLE: 4,
    PR_SET_NO_NEW_PRIVS: 38,
    PR_SET_PDEATHSIG: 1,
    P_ALL: 0,
    P_PID: 1,
    P_PIDFD: 3,
    RENAME_EXCHANGE: 2,
    RENAME_NOREPLACE: 1,
    SEEK_DATA: 3,
    SEEK_HOLE: 4,
    SOCK_DGRAM: 2,
    SOCK_STREAM: 1,
    UTIME_NOW: 0x3fffffff,
    UTIME_OMIT: 0x3ffffffe,
    WEXITED: 4,
    WNOHANG: 1,
    WNOWAIT: 0x01000000,
    XATTR_CREATE: 1,
    XATTR_REPLACE: 2,
  };
  t.strictSame({ ...addon.constants }, kernel);
  t.ok(Object.isFrozen(addon.constants));
  t.end();
});

t.test("each worker thread has an addon of its own", async (t) => {
  const workers = Array.from(
    { length: 4 },
    () => new Worker(new URL("worker.fixture.ts", import.meta.url), workerOptions),
  );
  const answers = workers.map(
    (worker) =>
      new Promise((resolve, reject) => {
        worker.on("message", resolve);
        worker.on("error", reject);
      }),
  );
  t.strictSame(await Promise.all(answers), Array(4).fill({ received: "hello", outcome: "ready", status: 3 }));
  await Promise.all(workers.map((worker) => worker.terminate()));
});

t.test("an errno has the name Linux gives it, also where Node's own table has another or none", (t) => {
  t.equal(addon.errnoName(os.constants.errno.EAGAIN), "EAGAIN");
  t.equal(addon.errnoName(95), "EOPNOTSUPP");
  t.equal(addon.errnoName(66), "EREMOTE");
  t.equal(addon.errnoName(4095), undefined);
  t.end();
});
