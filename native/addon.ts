import { createRequire } from "node:module";

/**
 * The shape of the compiled addon, private to this folder. Every function answers what the system call answered, or
 * the negated errno as a number, as the kernel itself does; nothing throws except a call with arguments of the wrong
 * type. `index.ts` turns that into types that cannot be mistaken.
 *
 * Paths and names are bytes: a string is passed as UTF-8, a Uint8Array as it is. A NUL inside is -EINVAL.
 */
export interface Addon {
  readonly constants: Readonly<Record<ConstantName, number>>;
  /** Node's own table lacks some that newer system calls answer (EREMOTE). */
  errnoName(errno: number): string | undefined;

  peerCredentials(fd: number): number | { pid: number; uid: number; gid: number };
  peerGroups(fd: number, most: number): number | Uint32Array;
  peerPidfd(fd: number): number;
  pidfdInfo(pidfd: number): number | RawPidfdInfo;
  pidfdOpen(pid: number): number;
  pollNow(fd: number, events: number): number;

  unixSocket(type: number): number;
  socketPair(type: number): number | [number, number];
  bind(fd: number, path: Bytes): number;
  listen(fd: number, backlog: number): number;
  connect(fd: number, path: Bytes): number;
  accept(fd: number): number;
  shutdownWrite(fd: number): number;
  setPassRights(fd: number, on: boolean): number;
  passRights(fd: number): number;
  peek(fd: number, bytes: Uint8Array, offset: number, length: number): number | { length: number; attached: boolean };
  closeElsewhere(fd: number): number;
  send(fd: number, bytes: Uint8Array, offset: number, length: number): number;
  receive(fd: number, bytes: Uint8Array, offset: number, length: number): number;
  sendDescriptor(fd: number, bytes: Uint8Array, descriptor: number): number;
  /** `surplus` says that descriptors were refused (all are closed by then). */
  receiveDescriptor(fd: number, bytes: Uint8Array): number | { length: number; descriptor: number; surplus: boolean };

  readinessOpen(fd: number, notify: (slot: Slot, status: number) => void): number | Readonly<object>;
  readinessStart(handle: Readonly<object>, slot: Slot, timeoutMillis: number): number;
  readinessStop(handle: Readonly<object>, slot: Slot): void;
  readinessClose(handle: Readonly<object>): void;

  openBeneath(dir: number, path: Bytes, flags: number, mode: number): number;
  close(fd: number): number;
  mkdirat(dir: number, name: Bytes, mode: number): number;
  unlinkat(dir: number, name: Bytes, flags: number): number;
  renameat2(oldDir: number, oldName: Bytes, newDir: number, newName: Bytes, flags: number): number;
  linkat(oldDir: number, oldName: Bytes, newDir: number, newName: Bytes, flags: number): number;
  symlinkat(target: Bytes, dir: number, name: Bytes): number;
  readlinkat(dir: number, name: Bytes): number | Uint8Array;
  fsync(fd: number): number;
  statx(dir: number, path: Bytes, flags: number): number | RawStatus;
  fgetxattr(fd: number, name: Bytes): number | Uint8Array;
  fsetxattr(fd: number, name: Bytes, value: Uint8Array, flags: number): number;
  flistxattr(fd: number): number | Uint8Array;
  fremovexattr(fd: number, name: Bytes): number;

  mount(source: Bytes, target: Bytes, type: Bytes, flags: number, data: Bytes): number;
  mountSetattr(dir: number, path: Bytes, flags: number, set: number, clear: number, propagation: number): number;
  umount2(target: Bytes, flags: number): number;

  /** `-(4096 + errno)` when the reply was refused, `-errno` when the first read was. */
  fuseExchange(
    fuse: number,
    bytes: Uint8Array,
    replyAt: number,
    replyLength: number,
    requestAt: number,
    most: number,
    spinMicros: number,
  ): number;
  fuseWrite(fuse: number, bytes: Uint8Array, at: number, length: number): number;
  fuseBackingOpen(fuse: number, fd: number): number;
  fuseBackingClose(fuse: number, id: number): number;
  attributesAt(dir: number, name: Uint8Array, nameAt: number, bytes: Uint8Array, at: number, device: number): number;
  attributesOf(fd: number, bytes: Uint8Array, at: number, device: number): number;
  fileDevice(fd: number): number;
  openAt(dir: number, name: Uint8Array, nameAt: number, flags: number, mode: number): number;
  readAt(fd: number, bytes: Uint8Array, at: number, length: number, position: number): number;
  writeAt(fd: number, bytes: Uint8Array, at: number, length: number, position: number, append: boolean): number;
  directoryEntries(
    fd: number,
    bytes: Uint8Array,
    at: number,
    size: number,
    positionLow: number,
    positionHigh: number,
    plus: boolean,
    device: number,
  ): number;
  fileSystemStatistics(fd: number, bytes: Uint8Array, at: number): number;
  changeOwnerAt(dir: number, name: Uint8Array, nameAt: number, uid: number, gid: number): number;
  changeOwner(fd: number, uid: number, gid: number): number;
  changeMode(fd: number, mode: number): number;
  setTimesAt(
    dir: number,
    name: Uint8Array,
    nameAt: number,
    atimeSeconds: number,
    atimeNanos: number,
    mtimeSeconds: number,
    mtimeNanos: number,
  ): number;
  setTimes(fd: number, atimeSeconds: number, atimeNanos: number, mtimeSeconds: number, mtimeNanos: number): number;
  truncateFile(fd: number, size: number): number;
  seek(fd: number, offset: number, whence: number): number;
  allocate(fd: number, mode: number, offset: number, length: number): number;

  writeInPool(fd: number, bytes: Uint8Array): Promise<number>;
  allocateInPool(fd: number, mode: number, offset: number, length: number): Promise<number>;

  sealedMemory(name: Bytes, size: number): number;
  memorySeals(fd: number): number;
  mapShared(fd: number, length: number): number | ArrayBuffer;

  prctl(option: number, argument: number): number;
  closeRange(first: number, last: number, flags: number): number;
  unshare(flags: number): number;
  execve(path: Bytes, argv: readonly Bytes[], environment: readonly Bytes[], keep: readonly number[]): number;
  spawn(
    path: Bytes,
    argv: readonly Bytes[],
    environment: readonly Bytes[],
    descriptors: readonly number[],
    terminal: boolean,
    namespaces: number,
    uidMap: Bytes,
    gidMap: Bytes,
  ): number | { pid: number; pidfd: number } | { stage: string; errno: number };
  waitid(
    idType: number,
    id: number,
    options: number,
  ): number | { pid: number; code: number; status: number } | undefined;

  monotonicMillis(): number;
}

export type Bytes = string | Uint8Array;
export type Slot = 0 | 1;

export interface RawPidfdInfo {
  pid: number;
  uid: number;
  gid: number;
  cgroup: bigint | undefined;
}

export interface RawStatus {
  mode: number;
  nlink: number;
  uid: number;
  gid: number;
  ino: bigint;
  size: bigint;
  blocks: bigint;
  device: bigint;
  atime: bigint;
  mtime: bigint;
  ctime: bigint;
  mountId: bigint;
}

export type ConstantName =
  | "AT_EMPTY_PATH"
  | "AT_FDCWD"
  | "AT_RECURSIVE"
  | "AT_REMOVEDIR"
  | "AT_SYMLINK_NOFOLLOW"
  | "CLD_DUMPED"
  | "CLD_EXITED"
  | "CLD_KILLED"
  | "CLONE_NEWCGROUP"
  | "CLONE_NEWIPC"
  | "CLONE_NEWNET"
  | "CLONE_NEWNS"
  | "CLONE_NEWPID"
  | "CLONE_NEWUSER"
  | "CLONE_NEWUTS"
  | "CLOSE_RANGE_CLOEXEC"
  | "F_SEAL_GROW"
  | "F_SEAL_SEAL"
  | "F_SEAL_SHRINK"
  | "MNT_DETACH"
  | "MOUNT_ATTR_NODEV"
  | "MOUNT_ATTR_NOEXEC"
  | "MOUNT_ATTR_NOSUID"
  | "MOUNT_ATTR_RDONLY"
  | "MS_BIND"
  | "MS_NODEV"
  | "MS_NOEXEC"
  | "MS_NOSUID"
  | "MS_PRIVATE"
  | "MS_RDONLY"
  | "MS_REC"
  | "MS_REMOUNT"
  | "O_PATH"
  | "POLLHUP"
  | "POLLIN"
  | "POLLOUT"
  | "POLLRDHUP"
  | "PR_GET_CHILD_SUBREAPER"
  | "PR_GET_DUMPABLE"
  | "PR_GET_NO_NEW_PRIVS"
  | "PR_GET_PDEATHSIG"
  | "PR_SET_CHILD_SUBREAPER"
  | "PR_SET_DUMPABLE"
  | "PR_SET_NO_NEW_PRIVS"
  | "PR_SET_PDEATHSIG"
  | "P_ALL"
  | "P_PID"
  | "P_PIDFD"
  | "RENAME_EXCHANGE"
  | "RENAME_NOREPLACE"
  | "SEEK_DATA"
  | "SEEK_HOLE"
  | "SOCK_DGRAM"
  | "SOCK_STREAM"
  | "UTIME_NOW"
  | "UTIME_OMIT"
  | "WEXITED"
  | "WNOHANG"
  | "WNOWAIT"
  | "XATTR_CREATE"
  | "XATTR_REPLACE";

/** `#native-addon` is a fixed file of the package; only node's own `--conditions` flag picks the sanitizer build. */
export const addon = createRequire(import.meta.url)("#native-addon") as Addon;
