/**
 * The door to the kernel: one function is one system call, with types that cannot be mixed up, and no policy.
 *
 * A call that fails throws `SyscallError` with the errno's name, except where an outcome is ordinary (nothing to read
 * yet, a peer that is gone): those are part of the answer's type. Every descriptor these functions make is
 * close-on-exec. Names and paths are bytes to the kernel; a string is passed as UTF-8.
 */
import os from "node:os";
import { addon, type Bytes, type Slot } from "./addon.ts";

export type { Bytes } from "./addon.ts";

declare const brand: unique symbol;
type Branded<Name extends string> = number & { readonly [brand]: Name };
/** An open descriptor of this process. */
export type Fd = Branded<"Fd">;
/** A user id, unsigned 32-bit, never 4294967295 (which means "none" to the kernel). */
export type Uid = Branded<"Uid">;
/** A group id, unsigned 32-bit, never 4294967295. */
export type Gid = Branded<"Gid">;
/** A process id as this process's pid namespace counts, at least 1. */
export type Pid = Branded<"Pid">;

export const constants = addon.constants;

/** A system call the kernel refused: `code` is the errno's name, `errno` its positive number. */
export class SyscallError extends Error {
  override readonly name = "SyscallError";
  readonly code: string;
  readonly errno: number;
  readonly syscall: string;

  constructor(syscall: string, errno: number) {
    const code = addon.errnoName(errno) ?? `errno ${String(errno)}`;
    super(`${syscall}: ${code}`);
    this.code = code;
    this.errno = errno;
    this.syscall = syscall;
  }
}

export function isSyscallError(error: unknown, ...codes: string[]): error is SyscallError {
  return error instanceof SyscallError && (codes.length === 0 || codes.includes(error.code));
}

const { EAGAIN, EINPROGRESS, EINVAL, ENODATA, ENOPROTOOPT, ENOTTY, ESRCH } = os.constants.errno;

function answer<T>(syscall: string, result: T | number): T {
  if (typeof result === "number" && result < 0) throw new SyscallError(syscall, -result);
  return result as T;
}

function done(syscall: string, result: number): void {
  if (result < 0) throw new SyscallError(syscall, -result);
}

// ---- identity of a connected peer: unix(7), pidfd_open(2), <linux/pidfd.h>

export interface PeerCredentials {
  /** Of the peer when it connected; 0 when it lives outside this pid namespace. Unpinned: it may be another's by now. */
  readonly pid: number;
  /** As the kernel reports it, 4294967295 included: judging it is the caller's part. */
  readonly uid: number;
  readonly gid: number;
}

/** SO_PEERCRED of a connected Unix socket. ENOTSOCK, EBADF; an unconnected socket answers pid 0 and ids 4294967295. */
export function peerCredentials(fd: Fd): PeerCredentials {
  return answer("getsockopt SO_PEERCRED", addon.peerCredentials(fd));
}

/**
 * SO_PEERGROUPS: the supplementary groups the peer had when it connected, in the kernel's order. E2BIG for more than
 * `most`, before they are copied: a process may have 65,536. ENODATA, ENOTSOCK.
 */
export function peerGroups(fd: Fd, most: number): readonly Gid[] {
  return Array.from(answer("getsockopt SO_PEERGROUPS", addon.peerGroups(fd, most))) as Gid[];
}

export type PidfdOutcome = { kind: "ok"; pidfd: Fd } | { kind: "unsupported" } | { kind: "gone" };

/** SO_PEERPIDFD (Linux 6.5): a pidfd of the very process that connected. `gone` when it was reaped before the look. */
export function peerPidfd(fd: Fd): PidfdOutcome {
  const result = addon.peerPidfd(fd);
  if (result >= 0) return { kind: "ok", pidfd: result as Fd };
  switch (-result) {
    case ENOPROTOOPT:
      return { kind: "unsupported" };
    case ESRCH:
    case ENODATA:
    case EINVAL:
      return { kind: "gone" };
    default:
      throw new SyscallError("getsockopt SO_PEERPIDFD", -result);
  }
}

export interface PidfdInfo {
  /** The thread group's id in this pid namespace. */
  readonly pid: Pid;
  /** Effective ids now, which may differ from those at connect. */
  readonly uid: number;
  readonly gid: number;
  /** The cgroup's 64-bit id in the unified hierarchy, if the kernel told it. */
  readonly cgroup: bigint | undefined;
}

export type PidfdInfoOutcome = { kind: "ok"; info: PidfdInfo } | { kind: "unsupported" } | { kind: "gone" };

/** PIDFD_GET_INFO (Linux 6.13). A process that ended and was not reaped may still answer: ask `isAlive` too. */
export function pidfdInfo(pidfd: Fd): PidfdInfoOutcome {
  const result = addon.pidfdInfo(pidfd);
  if (typeof result !== "number") return { kind: "ok", info: { ...result, pid: result.pid as Pid } };
  switch (-result) {
    case ENOTTY:
    case EINVAL: // Linux 6.11 and 6.12, whose pidfds have other ioctls, without an argument
      return { kind: "unsupported" };
    case ESRCH:
      return { kind: "gone" };
    default:
      throw new SyscallError("ioctl PIDFD_GET_INFO", -result);
  }
}

/** pidfd_open(2). ESRCH when there is no such process. */
export function pidfdOpen(pid: Pid): Fd {
  return answer("pidfd_open", addon.pidfdOpen(pid)) as Fd;
}

/** True until the process of a pidfd has ended; an unreaped zombie has ended. EBADF. */
export function isAlive(pidfd: Fd): boolean {
  return (pollNow(pidfd, constants.POLLIN) & constants.POLLIN) === 0;
}

/** poll(2) of one descriptor without waiting: the events that hold now. POLLNVAL is thrown as EBADF. */
export function pollNow(fd: Fd, events: number): number {
  return answer("poll", addon.pollNow(fd, events));
}

// ---- Unix sockets: unix(7), sendmsg(2), recvmsg(2). Every socket made here is non-blocking.

export type SocketType = "stream" | "datagram";

function socketType(type: SocketType): number {
  return type === "stream" ? constants.SOCK_STREAM : constants.SOCK_DGRAM;
}

/** A new unconnected Unix socket. */
export function unixSocket(type: SocketType): Fd {
  return answer("socket", addon.unixSocket(socketType(type))) as Fd;
}

/** socketpair(2): two connected Unix sockets; each sees this process as its peer. */
export function socketPair(type: SocketType): readonly [Fd, Fd] {
  return answer("socketpair", addon.socketPair(socketType(type))) as [Fd, Fd];
}

/** bind(2) to a path of 1 to 107 bytes. EADDRINUSE, ENAMETOOLONG; an empty path is EINVAL (no abstract names here). */
export function bind(fd: Fd, path: Bytes): void {
  done("bind", addon.bind(fd, path));
}

/** listen(2). */
export function listen(fd: Fd, backlog: number): void {
  done("listen", addon.listen(fd, backlog));
}

/** connect(2) to a path of 1 to 107 bytes. ENOENT, ECONNREFUSED, EACCES; EAGAIN when a stream's backlog is full. */
export function connect(fd: Fd, path: Bytes): void {
  const result = addon.connect(fd, path);
  if (result !== -EINPROGRESS) done("connect", result);
}

/** accept4(2): the next connection, or undefined when none waits. EMFILE, EINVAL on a socket that does not listen. */
export function accept(fd: Fd): Fd | undefined {
  return bytesOrNothing("accept4", addon.accept(fd)) as Fd | undefined;
}

/** shutdown(2) of the sending half: the peer reads to the end. EBADF; an unconnected Unix socket is no error. */
export function shutdownWrite(fd: Fd): void {
  done("shutdown", addon.shutdownWrite(fd));
}

/**
 * SO_PASSRIGHTS off (Linux 6.16): who sends a descriptor to this socket, or to one accepted from it from now on, gets
 * EPERM. False where the kernel has no such option. What was queued before stays queued.
 */
export function refuseDescriptors(fd: Fd): boolean {
  const result = addon.setPassRights(fd, false);
  if (result === -ENOPROTOOPT) return false;
  done("setsockopt SO_PASSRIGHTS", result);
  return true;
}

/** Whether what comes in, or what has come in, may have descriptors attached. */
export function mayCarryDescriptors(fd: Fd): boolean {
  const result = addon.passRights(fd);
  return result === -ENOPROTOOPT || answer("getsockopt SO_PASSRIGHTS", result) !== 0;
}

/**
 * The next bytes, which stay in the socket, up to the first message with descriptors: `attached` says that one was
 * reached, also when it comes right behind the last byte that was asked for. Undefined when there is nothing yet, length 0 at the end of the stream. ECONNRESET.
 */
export function peek(
  fd: Fd,
  bytes: Uint8Array,
  offset: number,
  length: number,
): { readonly length: number; readonly attached: boolean } | undefined {
  const result = addon.peek(fd, bytes, offset, length);
  return result === -EAGAIN ? undefined : answer("recvmsg MSG_PEEK", result);
}

/**
 * close(2) in a thread made for it, for a socket in whose queue there may be descriptors: dropping the last reference of
 * a lingering TCP socket takes as long as whoever sent it likes. Answers a descriptor, the caller's to close, that
 * becomes readable when it is done. EBADF, EAGAIN when no thread can be had.
 */
export function closeElsewhere(fd: Fd): Fd {
  return answer("close", addon.closeElsewhere(fd)) as Fd;
}

function bytesOrNothing(syscall: string, result: number): number | undefined {
  if (result === -EAGAIN) return undefined;
  return answer(syscall, result);
}

/** Sends at most `length` bytes; answers how many went, or undefined when none can now. EPIPE, ECONNRESET. */
export function send(fd: Fd, bytes: Uint8Array, offset = 0, length = bytes.length - offset): number | undefined {
  return bytesOrNothing("sendmsg", addon.send(fd, bytes, offset, length));
}

/**
 * Receives at most `length` bytes; 0 is the end of the stream, undefined nothing yet. There is no control buffer:
 * descriptors a peer attaches are dropped by the kernel and never reach this process, but dropping them may take long
 * (see `peek` and `closeElsewhere`). ECONNRESET; EINVAL for no room.
 */
export function receive(fd: Fd, bytes: Uint8Array, offset = 0, length = bytes.length - offset): number | undefined {
  return bytesOrNothing("recvmsg", addon.receive(fd, bytes, offset, length));
}

/** Sends `bytes` (at least one) with exactly one descriptor, or undefined when none can go now. EPIPE, EBADF. */
export function sendDescriptor(fd: Fd, bytes: Uint8Array, descriptor: Fd): number | undefined {
  return bytesOrNothing("sendmsg", addon.sendDescriptor(fd, bytes, descriptor));
}

export type DescriptorOutcome =
  | { kind: "received"; length: number; descriptor: Fd }
  /** Bytes came without a descriptor. */
  | { kind: "bare"; length: number }
  /** More than one descriptor, or other control data, came: all of it was closed and dropped. */
  | { kind: "surplus"; length: number }
  | { kind: "nothing yet" }
  | { kind: "end" };

/** Receives bytes with exactly one descriptor. Only for a peer whose descriptors may be trusted: closing one can hang. */
export function receiveDescriptor(fd: Fd, bytes: Uint8Array): DescriptorOutcome {
  const result = addon.receiveDescriptor(fd, bytes);
  if (typeof result === "number") {
    if (result === -EAGAIN) return { kind: "nothing yet" };
    throw new SyscallError("recvmsg", -result);
  }
  const { length, descriptor, surplus } = result;
  if (surplus) return { kind: "surplus", length };
  if (descriptor >= 0) return { kind: "received", length, descriptor: descriptor as Fd };
  return length === 0 ? { kind: "end" } : { kind: "bare", length };
}

// ---- waiting for a descriptor: uv_poll

/** Milliseconds of CLOCK_MONOTONIC, with a fraction; `Infinity` as a deadline means never. */
export type Deadline = number;

export function monotonicMillis(): Deadline {
  return addon.monotonicMillis();
}

export type WaitOutcome = "ready" | "timeout" | "closed";

const READABLE: Slot = 0;
const WRITABLE: Slot = 1;

/**
 * Waits on one descriptor, one reader and one writer at a time. It does not own the descriptor, which must stay open
 * until this is disposed; disposing wakes whoever waits with "closed". The descriptor becomes non-blocking, and no
 * other handle of the event loop may hold it. EPERM for a descriptor that cannot be polled (a regular file).
 */
export class Readiness implements Disposable {
  readonly #handle: Readonly<object>;
  readonly #waiting: [Waiter, Waiter] = [undefined, undefined];
  #closed = false;

  constructor(fd: Fd) {
    this.#handle = answer(
      "epoll_ctl",
      addon.readinessOpen(fd, (slot, status) => {
        this.#settle(slot, status < 0 ? "timeout" : "ready");
      }),
    );
  }

  /** "ready" also when the descriptor is in error or hung up: the read or write that follows says which. */
  readable(deadline: Deadline): Promise<WaitOutcome> {
    return this.#wait(READABLE, deadline);
  }

  writable(deadline: Deadline): Promise<WaitOutcome> {
    return this.#wait(WRITABLE, deadline);
  }

  [Symbol.dispose](): void {
    if (this.#closed) return;
    this.#closed = true;
    addon.readinessClose(this.#handle);
    this.#settle(READABLE, "closed");
    this.#settle(WRITABLE, "closed");
  }

  #wait(slot: Slot, deadline: Deadline): Promise<WaitOutcome> {
    if (this.#closed) return Promise.resolve("closed");
    if (this.#waiting[slot] !== undefined) throw new Error("readiness: a second waiter for the same direction");
    const { promise, resolve } = Promise.withResolvers<WaitOutcome>();
    const left = deadline === Infinity ? -1 : Math.max(0, Math.ceil(deadline - monotonicMillis()));
    done("epoll_ctl", addon.readinessStart(this.#handle, slot, left));
    this.#waiting[slot] = resolve;
    return promise;
  }

  #settle(slot: Slot, outcome: WaitOutcome): void {
    const resolve = this.#waiting[slot];
    this.#waiting[slot] = undefined;
    resolve?.(outcome);
  }
}

type Waiter = ((outcome: WaitOutcome) => void) | undefined;

// ---- files by directory descriptor: openat2(2), statx(2), rename(2), xattr(7)

/** close(2). EBADF. The descriptor is gone whatever it answers. */
export function close(fd: Fd): void {
  done("close", addon.close(fd));
}

/** A descriptor with one owner: `using` closes it, `release` hands it on. */
export class OwnedFd implements Disposable {
  #fd: Fd | undefined;

  constructor(fd: Fd) {
    this.#fd = fd;
  }

  get fd(): Fd {
    if (this.#fd === undefined) throw new Error("descriptor used after it was released");
    return this.#fd;
  }

  /** The descriptor, from now on the caller's to close. */
  release(): Fd {
    const fd = this.fd;
    this.#fd = undefined;
    return fd;
  }

  /** As `release`, or undefined when it was released or closed before. */
  take(): Fd | undefined {
    const fd = this.#fd;
    this.#fd = undefined;
    return fd;
  }

  [Symbol.dispose](): void {
    const fd = this.take();
    if (fd !== undefined) close(fd);
  }
}

/**
 * openat2(2) with RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS, always, and O_CLOEXEC: nothing outside
 * `dir` can be reached and no link is followed. EXDEV for a path that leaves, ELOOP for a link, ENOENT, EACCES.
 */
export function openBeneath(dir: Fd, path: Bytes, flags: number, mode = 0): Fd {
  return answer("openat2", addon.openBeneath(dir, path, flags, mode)) as Fd;
}

export function mkdirat(dir: Fd, name: Bytes, mode: number): void {
  done("mkdirat", addon.mkdirat(dir, name, mode));
}

/** `flags`: 0 for a file, AT_REMOVEDIR for an empty directory. ENOENT, EISDIR, ENOTEMPTY. */
export function unlinkat(dir: Fd, name: Bytes, flags: number): void {
  done("unlinkat", addon.unlinkat(dir, name, flags));
}

/** `flags`: 0, RENAME_NOREPLACE (EEXIST when the new name is taken) or RENAME_EXCHANGE (ENOENT when it is not). */
export function renameat2(oldDir: Fd, oldName: Bytes, newDir: Fd, newName: Bytes, flags: number): void {
  done("renameat2", addon.renameat2(oldDir, oldName, newDir, newName, flags));
}

/** `flags`: 0, or AT_EMPTY_PATH with an empty old name to link the file of `oldDir` itself. EEXIST, EXDEV. */
export function linkat(oldDir: Fd, oldName: Bytes, newDir: Fd, newName: Bytes, flags: number): void {
  done("linkat", addon.linkat(oldDir, oldName, newDir, newName, flags));
}

export function symlinkat(target: Bytes, dir: Fd, name: Bytes): void {
  done("symlinkat", addon.symlinkat(target, dir, name));
}

/** The link's bytes, at most 4095. EINVAL when it is no link. */
export function readlinkat(dir: Fd, name: Bytes): Uint8Array {
  return answer("readlinkat", addon.readlinkat(dir, name));
}

/** fsync(2) of a file or a directory. EBADF for an O_PATH descriptor, EIO. */
export function fsync(fd: Fd): void {
  done("fsync", addon.fsync(fd));
}

export interface FileStatus {
  /** Type and permission bits as in stat(2). */
  readonly mode: number;
  readonly nlink: number;
  readonly uid: number;
  readonly gid: number;
  readonly ino: bigint;
  /** Bytes. */
  readonly size: bigint;
  /** Units of 512 bytes. */
  readonly blocks: bigint;
  /** Major and minor number as makedev(3) joins them. */
  readonly device: bigint;
  /** Nanoseconds since the epoch. */
  readonly atime: bigint;
  readonly mtime: bigint;
  readonly ctime: bigint;
  readonly mountId: bigint;
}

/** statx(2), basic fields and the mount id. `flags`: AT_SYMLINK_NOFOLLOW, AT_EMPTY_PATH. */
export function statx(dir: Fd, path: Bytes, flags: number): FileStatus {
  return answer("statx", addon.statx(dir, path, flags));
}

/** At most 64 KiB. ENODATA when there is no such attribute. */
export function fgetxattr(fd: Fd, name: Bytes): Uint8Array {
  return answer("fgetxattr", addon.fgetxattr(fd, name));
}

/** `flags`: 0, XATTR_CREATE (EEXIST) or XATTR_REPLACE (ENODATA). */
export function fsetxattr(fd: Fd, name: Bytes, value: Uint8Array, flags: number): void {
  done("fsetxattr", addon.fsetxattr(fd, name, value, flags));
}

/** The names, each as bytes. */
export function flistxattr(fd: Fd): readonly Uint8Array[] {
  const names: Uint8Array[] = [];
  let rest = answer("flistxattr", addon.flistxattr(fd));
  for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
    names.push(rest.subarray(0, end));
    rest = rest.subarray(end + 1);
  }
  return names;
}

export function fremovexattr(fd: Fd, name: Bytes): void {
  done("fremovexattr", addon.fremovexattr(fd, name));
}

// ---- serving FUSE: fuse(4), <linux/fuse.h>
//
// These are called for every request of a mount. They allocate nothing and never throw for what the kernel says: each
// answers a number, and a negative one is the negated errno. Arrays are the caller's; a place outside of one is a
// RangeError. A name lies in an array as the kernel sent it, from `nameAt` to its NUL: EINVAL when there is none within
// the array or within 256 bytes, or when a slash is in it. ".." is not refused: the kernel sends none.

/** Bytes that must be left in the array for a request to be read into it. */
export const FUSE_REQUEST_ROOM = (1 << 20) + 4096;

/**
 * Writes a reply (none with `replyLength` 0), then reads up to `most` requests from `requestAt` on, each from the next
 * multiple of 8, until there is none or less than FUSE_REQUEST_ROOM is left. While there is not even one it looks again
 * for `spinMicros` microseconds (at most a million), in which this thread does nothing else. `fuse` is non-blocking.
 *
 * Answers how many were read; -ENODEV once unmounted; -(4096 + errno) when the reply was refused, and then nothing was
 * read. ENOENT to a reply, whose requester has gone, is not told. EINVAL, before anything is done, when there is no room
 * for one request.
 */
export function fuseExchange(
  fuse: Fd,
  bytes: Uint8Array,
  replyAt: number,
  replyLength: number,
  requestAt: number,
  most: number,
  spinMicros: number,
): number {
  return addon.fuseExchange(fuse, bytes, replyAt, replyLength, requestAt, most, spinMicros);
}

/** One write(2): the length. ENOENT when the requester has gone, EINVAL for a reply the kernel does not understand. */
export function fuseWrite(fuse: Fd, bytes: Uint8Array, at: number, length: number): number {
  return addon.fuseWrite(fuse, bytes, at, length);
}

/** FUSE_DEV_IOC_BACKING_OPEN (Linux 6.9): an id for passthrough. EPERM without CAP_SYS_ADMIN or before INIT agreed. */
export function fuseBackingOpen(fuse: Fd, fd: Fd): number {
  return addon.fuseBackingOpen(fuse, fd);
}

/** FUSE_DEV_IOC_BACKING_CLOSE. ENOENT for an id that is not one. */
export function fuseBackingClose(fuse: Fd, id: number): number {
  return addon.fuseBackingClose(fuse, id);
}

/**
 * fstatat(2) with AT_SYMLINK_NOFOLLOW as `struct fuse_attr`, 88 bytes at `bytes[at]`. EXDEV when it is not on `device`
 * (as `fileDevice` says; 0 is any).
 */
export function attributesAt(
  dir: Fd,
  name: Uint8Array,
  nameAt: number,
  bytes: Uint8Array,
  at: number,
  device: number,
): number {
  return addon.attributesAt(dir, name, nameAt, bytes, at, device);
}

/** fstat(2), as `attributesAt`. */
export function attributesOf(fd: Fd, bytes: Uint8Array, at: number, device: number): number {
  return addon.attributesOf(fd, bytes, at, device);
}

/** The st_dev of stat(2). EBADF. */
export function fileDevice(fd: Fd): number {
  return addon.fileDevice(fd);
}

/** openat(2), always with O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY: a descriptor, the caller's to close. ELOOP for a link. */
export function openAt(dir: Fd, name: Uint8Array, nameAt: number, flags: number, mode: number): number {
  return addon.openAt(dir, name, nameAt, flags, mode);
}

/** pread(2): how many bytes, 0 at the end. */
export function readAt(fd: Fd, bytes: Uint8Array, at: number, length: number, position: number): number {
  return addon.readAt(fd, bytes, at, length, position);
}

/** pwrite(2), or with `append` pwritev2(2) and RWF_APPEND, which writes at the end whatever `position` is. */
export function writeAt(
  fd: Fd,
  bytes: Uint8Array,
  at: number,
  length: number,
  position: number,
  append: boolean,
): number {
  return addon.writeAt(fd, bytes, at, length, position, append);
}

/**
 * The entries of a directory from a position on, as `struct fuse_dirent`, or with `plus` as `struct fuse_direntplus`
 * whose node id is 0 and whose attributes are zeros for ".", "..", what vanished meanwhile and what is not on `device`
 * (0 is any). The position is 0, or the `off` of the last entry that was used, as two halves: cookies have up to 63
 * bits. Answers the bytes used, 0 at the end; EINVAL when not even one entry fits in `size`.
 */
export function directoryEntries(
  fd: Fd,
  bytes: Uint8Array,
  at: number,
  size: number,
  positionLow: number,
  positionHigh: number,
  plus: boolean,
  device: number,
): number {
  return addon.directoryEntries(fd, bytes, at, size, positionLow, positionHigh, plus, device);
}

/** fstatfs(2) as `struct fuse_kstatfs`, 80 bytes at `bytes[at]`. */
export function fileSystemStatistics(fd: Fd, bytes: Uint8Array, at: number): number {
  return addon.fileSystemStatistics(fd, bytes, at);
}

/** fchownat(2) with AT_SYMLINK_NOFOLLOW; an id of 4294967295 leaves that one as it is. */
export function changeOwnerAt(dir: Fd, name: Uint8Array, nameAt: number, uid: number, gid: number): number {
  return addon.changeOwnerAt(dir, name, nameAt, uid, gid);
}

/** fchown(2), as `changeOwnerAt`. EBADF for an O_PATH descriptor. */
export function changeOwner(fd: Fd, uid: number, gid: number): number {
  return addon.changeOwner(fd, uid, gid);
}

/** fchmod(2). EBADF for an O_PATH descriptor. */
export function changeMode(fd: Fd, mode: number): number {
  return addon.changeMode(fd, mode);
}

/** utimensat(2) with AT_SYMLINK_NOFOLLOW. Seconds may be negative; nanoseconds may be UTIME_NOW or UTIME_OMIT. */
export function setTimesAt(
  dir: Fd,
  name: Uint8Array,
  nameAt: number,
  atimeSeconds: number,
  atimeNanos: number,
  mtimeSeconds: number,
  mtimeNanos: number,
): number {
  return addon.setTimesAt(dir, name, nameAt, atimeSeconds, atimeNanos, mtimeSeconds, mtimeNanos);
}

/** futimens(3), as `setTimesAt`. */
export function setTimes(
  fd: Fd,
  atimeSeconds: number,
  atimeNanos: number,
  mtimeSeconds: number,
  mtimeNanos: number,
): number {
  return addon.setTimes(fd, atimeSeconds, atimeNanos, mtimeSeconds, mtimeNanos);
}

/** ftruncate(2). */
export function truncateFile(fd: Fd, size: number): number {
  return addon.truncateFile(fd, size);
}

/** lseek(2): the new position. ENXIO for SEEK_DATA and SEEK_HOLE beyond the end. */
export function seek(fd: Fd, offset: number, whence: number): number {
  return addon.seek(fd, offset, whence);
}

/** fallocate(2). EOPNOTSUPP where the file system cannot, EINVAL for a length of 0. */
export function allocate(fd: Fd, mode: number, offset: number, length: number): number {
  return addon.allocate(fd, mode, offset, length);
}

/** One write(2) of the whole array in libuv's pool. The array must neither change nor be transferred meanwhile. */
export function writeInPool(fd: Fd, bytes: Uint8Array): Promise<number> {
  return addon.writeInPool(fd, bytes);
}

/** `allocate` in libuv's pool. */
export function allocateInPool(fd: Fd, mode: number, offset: number, length: number): Promise<number> {
  return addon.allocateInPool(fd, mode, offset, length);
}

// ---- shared memory: memfd_create(2), fcntl(2), mmap(2)

/** Memory of zeros that can neither shrink nor grow, nor be executed from Linux 6.3 on. EINVAL for a name over 249 bytes. */
export function sealedMemory(name: string, size: number): Fd {
  return answer("memfd_create", addon.sealedMemory(name, size)) as Fd;
}

/** F_GET_SEALS: bits F_SEAL_*. EINVAL for a descriptor that is not sealable memory. */
export function memorySeals(fd: Fd): number {
  return answer("fcntl F_GET_SEALS", addon.memorySeals(fd));
}

/**
 * The first `length` bytes as memory shared with whoever else maps it, until the buffer is collected. EINVAL for length
 * 0 or more than the file has. A file without F_SEAL_SHRINK that shrinks later kills this process on access.
 */
export function mapShared(fd: Fd, length: number): ArrayBuffer {
  return answer("mmap", addon.mapShared(fd, length));
}

// ---- mounts: mount(2), mount_setattr(2), umount2(2)

export function mount(source: Bytes, target: Bytes, type: Bytes, flags: number, data: Bytes = ""): void {
  done("mount", addon.mount(source, target, type, flags, data));
}

/** `set`, `clear`: MOUNT_ATTR_* bits; `propagation`: MS_PRIVATE and the like, or 0; `flags`: AT_RECURSIVE, AT_EMPTY_PATH. */
export function mountSetattr(
  dir: Fd,
  path: Bytes,
  flags: number,
  change: { set?: number; clear?: number; propagation?: number },
): void {
  const { set = 0, clear = 0, propagation = 0 } = change;
  done("mount_setattr", addon.mountSetattr(dir, path, flags, set, clear, propagation));
}

/** `flags`: 0 or MNT_DETACH. EBUSY, EINVAL when nothing is mounted there. */
export function umount2(target: Bytes, flags: number): void {
  done("umount2", addon.umount2(target, flags));
}

// ---- this process and its children: prctl(2), close_range(2), execve(2), waitid(2)

/** PR_SET_DUMPABLE: when off, no process of this uid can trace it, write its memory or open its descriptors. */
export function setDumpable(on: boolean): void {
  done("prctl PR_SET_DUMPABLE", addon.prctl(constants.PR_SET_DUMPABLE, on ? 1 : 0));
}

export function isDumpable(): boolean {
  return answer("prctl PR_GET_DUMPABLE", addon.prctl(constants.PR_GET_DUMPABLE, 0)) === 1;
}

/** PR_SET_NO_NEW_PRIVS, which cannot be taken back, for the calling thread and what it starts. */
export function setNoNewPrivileges(): void {
  done("prctl PR_SET_NO_NEW_PRIVS", addon.prctl(constants.PR_SET_NO_NEW_PRIVS, 1));
}

export function hasNoNewPrivileges(): boolean {
  return answer("prctl PR_GET_NO_NEW_PRIVS", addon.prctl(constants.PR_GET_NO_NEW_PRIVS, 0)) === 1;
}

/** PR_SET_CHILD_SUBREAPER: orphans below this process become its children. */
export function setChildSubreaper(on: boolean): void {
  done("prctl PR_SET_CHILD_SUBREAPER", addon.prctl(constants.PR_SET_CHILD_SUBREAPER, on ? 1 : 0));
}

export function isChildSubreaper(): boolean {
  return answer("prctl PR_GET_CHILD_SUBREAPER", addon.prctl(constants.PR_GET_CHILD_SUBREAPER, 0)) === 1;
}

/** PR_SET_PDEATHSIG: the signal this process gets when the thread that started it ends; 0 for none. EINVAL. */
export function setParentDeathSignal(signal: number): void {
  done("prctl PR_SET_PDEATHSIG", addon.prctl(constants.PR_SET_PDEATHSIG, signal));
}

export function parentDeathSignal(): number {
  return answer("prctl PR_GET_PDEATHSIG", addon.prctl(constants.PR_GET_PDEATHSIG, 0));
}

/** close_range(2), `last` inclusive; `flags`: 0 closes, CLOSE_RANGE_CLOEXEC marks. EINVAL when `first` > `last`. */
export function closeRange(first: number, last: number, flags: number): void {
  done("close_range", addon.closeRange(first, last, flags));
}

/**
 * unshare(2) for the calling thread. CLONE_NEWUSER is always EINVAL here, since Node has more than one thread: a child
 * in a user namespace of its own is started by `spawn`.
 */
export function unshare(namespaces: number): void {
  done("unshare", addon.unshare(namespaces));
}

/**
 * execve(2): replaces this process. Of all descriptors above 2 exactly those of `keep` survive, under their numbers;
 * signal dispositions and the mask are the default ones. Returns only by throwing, and then every descriptor is
 * close-on-exec as before.
 */
export function execve(path: Bytes, argv: readonly Bytes[], environment: readonly Bytes[], keep: readonly Fd[]): never {
  throw new SyscallError("execve", -addon.execve(path, argv, environment, keep));
}

export interface SpawnRequest {
  readonly path: Bytes;
  readonly argv: readonly Bytes[];
  readonly environment: readonly Bytes[];
  /** Descriptor i of this list becomes descriptor i of the child, which has no others. */
  readonly descriptors: readonly Fd[];
  /** The child leads a session of its own whose controlling terminal is descriptor 0, a PTY slave. */
  readonly terminal?: boolean;
  /** CLONE_NEW* flags to unshare before the program starts, with the lines of its uid and gid map. */
  readonly namespaces?: { readonly flags: number; readonly uidMap: string; readonly gidMap: string };
}

export interface Child {
  readonly pid: Pid;
  /** The caller's to close. It becomes readable when the child ends. */
  readonly pidfd: Fd;
}

/**
 * fork, then setsid and TIOCSCTTY, unshare and the maps, close_range, execve: whatever of these fails in the child is
 * thrown here under its name, and no child is left. Signals are the default ones in the child. It is not known to
 * Node: whoever starts it reaps it with `waitid`.
 */
export function spawn(request: SpawnRequest): Child {
  const { path, argv, environment, descriptors, terminal = false, namespaces } = request;
  const { flags, uidMap, gidMap } = namespaces ?? { flags: 0, uidMap: "", gidMap: "" };
  const result = answer("fork", addon.spawn(path, argv, environment, descriptors, terminal, flags, uidMap, gidMap));
  if ("stage" in result) throw new SyscallError(result.stage, result.errno);
  return { pid: result.pid as Pid, pidfd: result.pidfd as Fd };
}

export type ChildEnd =
  | { readonly pid: Pid; readonly kind: "exited"; readonly status: number }
  | { readonly pid: Pid; readonly kind: "killed"; readonly signal: number; readonly dumped: boolean };

export type WaitTarget = { readonly pid: Pid } | { readonly pidfd: Fd } | "any child";

/**
 * waitid(2) with WEXITED | WNOHANG: how a child ended, or undefined while it has not. `peek` (WNOWAIT) leaves it to be
 * waited for again, so that a pid 1 can look at any child and reap only those that nobody else will. ECHILD.
 */
export function waitid(target: WaitTarget, options: { readonly peek?: boolean } = {}): ChildEnd | undefined {
  const [idType, id] =
    target === "any child"
      ? [constants.P_ALL, 0]
      : "pid" in target
        ? [constants.P_PID, target.pid]
        : [constants.P_PIDFD, target.pidfd];
  const flags = constants.WEXITED | constants.WNOHANG | (options.peek === true ? constants.WNOWAIT : 0);
  const result = answer("waitid", addon.waitid(idType, id, flags));
  if (result === undefined) return undefined;
  const pid = result.pid as Pid;
  if (result.code === constants.CLD_EXITED) return { pid, kind: "exited", status: result.status };
  return { pid, kind: "killed", signal: result.status, dumped: result.code === constants.CLD_DUMPED };
}
