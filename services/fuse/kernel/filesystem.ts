/**
 * What the wire asks of the tree, and the only thing the two know of each other.
 *
 * A session decodes a request into the one `Request` it reuses, has the method of the opcode called, and sends what the
 * method left in the one `Reply`. Neither object, nor a byte of `request.bytes`, may be kept after the method returned.
 * A method answers 0 or more (the length of a payload it wrote itself), a negated errno, or `LATER`.
 */
import type { Connection } from "./connection.ts";

/** Answered by a method whose answer comes later: it called `request.later()` and will finish what that gave. */
export const LATER = -1_000_000;

/** The negated errno, the length of a payload, or LATER. */
export type Answer = number;

/** One request, decoded. Fields a request of its opcode does not have hold what an earlier one left: do not read them. */
export interface Request {
  readonly connection: Connection;
  readonly opcode: number;
  /** Of the kernel's counter, without the mark of a resent request: below 2^53. */
  readonly unique: number;
  /** A server that died may have done it already. */
  readonly isResent: boolean;
  /** Node ids are this server's own and below 2^53. */
  readonly node: number;
  /** The caller's filesystem ids, as the initial user namespace counts; 4294967295 never comes here. */
  readonly uid: number;
  readonly gid: number;
  /** The caller's thread; 0 when it has no id in this process's pid namespace. */
  readonly pid: number;

  /** Where the names and data of this request lie. */
  readonly bytes: Buffer;
  /** The name, NUL-terminated at `bytes[name]`: 1 to 255 bytes, no "/", neither "." nor "..". An xattr's is any 1 to 255 bytes. */
  readonly name: number;
  readonly nameLength: number;
  /** RENAME, SYMLINK: the second string, as `name`, except that SYMLINK's target is any text of 1 to 4095 bytes. */
  readonly newName: number;
  readonly newNameLength: number;

  /** RENAME: the directory it goes to. LINK: the node that gets a further name, which is `name` in `node`. */
  readonly otherNode: number;
  /** open(2)'s of OPEN, OPENDIR, CREATE; renameat2(2)'s of RENAME; setxattr(2)'s; FSYNC's 1 for data only; GETATTR_FH of GETATTR. */
  readonly flags: number;
  /** CREATE, MKDIR, MKNOD, SETATTR: type and permission bits; the umask is taken off already. FALLOCATE's mode. */
  readonly mode: number;
  readonly rdev: number;
  /** GETATTR and SETATTR have one only where GETATTR_FH or FATTR_FH says so. */
  readonly handle: number;
  /** READ, WRITE, FALLOCATE, LSEEK. */
  readonly offset: number;
  /** READDIR: the halves of the cookie to go on from, which has up to 63 bits; both 0 at the beginning. */
  readonly offsetLow: number;
  readonly offsetHigh: number;
  /** READ, READDIR: bytes wanted. WRITE, SETXATTR: bytes at `data`. GETXATTR, LISTXATTR: room, 0 asks for the length. FALLOCATE: length. SETATTR: the new size. */
  readonly size: number;
  readonly data: number;
  /** WRITE: comes from the page cache, of whoever mapped or wrote the file. */
  readonly isCached: boolean;
  readonly whence: number;
  /** SETATTR: FATTR_ bits, see `constants.ts`, and what they say is given. */
  readonly valid: number;
  readonly newUid: number;
  readonly newGid: number;
  readonly atimeSeconds: number;
  readonly atimeNanos: number;
  readonly mtimeSeconds: number;
  readonly mtimeNanos: number;
  /** WRITE, SETATTR, OPEN and CREATE: the kernel asks for suid and sgid to be cleared. */
  readonly clearsSetid: boolean;

  /** This request is answered later. `onInterrupt` is called at most once, when the caller was interrupted meanwhile. */
  later(onInterrupt?: () => void): Later;
}

export interface Later {
  readonly connection: Connection;
  readonly unique: number;
  /** A payload (without the header), or 0 or a negated errno. Once. False when the caller is gone. */
  finish(answer: Buffer | number): boolean;
}

/** Where an answer is written. `bytes` is room for 1 MiB and 4 KiB from `payload` on. */
export interface Reply {
  readonly bytes: Buffer;
  readonly payload: number;
  /** Where `struct fuse_attr` (88 bytes) of the entry reply lies: let a native call write it, then call `entry`. */
  readonly entryAttributes: number;
  /** The same of the attributes reply; then call `attributes`. */
  readonly attributesAt: number;
  /** struct fuse_entry_out around the attributes at `entryAttributes`; the timeouts are whole seconds. Answers its length. */
  entry(node: number, entrySeconds: number, attributeSeconds: number): Answer;
  /** struct fuse_attr_out around the attributes at `attributesAt`. Answers its length. */
  attributes(attributeSeconds: number): Answer;
  /** struct fuse_open_out; `backing` is a backing id with FOPEN_PASSTHROUGH, else 0. Answers its length. */
  opened(handle: number, openFlags: number, backing: number): Answer;
  /** CREATE's: an entry as `entry` writes it, then an open. Answers the length of both. */
  created(
    node: number,
    entrySeconds: number,
    attributeSeconds: number,
    handle: number,
    openFlags: number,
    backing: number,
  ): Answer;
  /** struct fuse_write_out. */
  written(length: number): Answer;
  /** struct fuse_getxattr_out: the length that room is needed for. */
  xattrLength(length: number): Answer;
  /** struct fuse_lseek_out. */
  position(offset: number): Answer;
  /** Copies bytes (a link's target, an xattr, content) to the payload. Answers their length. */
  copy(bytes: Uint8Array): Answer;
}

/** One method an opcode; a method that is not there is ENOSYS, which the kernel remembers and never asks again. */
export interface FileSystem {
  lookup(request: Request, reply: Reply): Answer;
  /** FORGET and each entry of BATCH_FORGET. */
  forget(connection: Connection, node: number, count: number): void;
  getattr(request: Request, reply: Reply): Answer;
  setattr(request: Request, reply: Reply): Answer;
  readlink(request: Request, reply: Reply): Answer;
  symlink(request: Request, reply: Reply): Answer;
  mknod(request: Request, reply: Reply): Answer;
  mkdir(request: Request, reply: Reply): Answer;
  unlink(request: Request, reply: Reply): Answer;
  rmdir(request: Request, reply: Reply): Answer;
  /** RENAME and RENAME2. */
  rename(request: Request, reply: Reply): Answer;
  link(request: Request, reply: Reply): Answer;
  open(request: Request, reply: Reply): Answer;
  create(request: Request, reply: Reply): Answer;
  read(request: Request, reply: Reply): Answer;
  write(request: Request, reply: Reply): Answer;
  flush(request: Request, reply: Reply): Answer;
  release(request: Request, reply: Reply): Answer;
  fsync(request: Request, reply: Reply): Answer;
  fallocate(request: Request, reply: Reply): Answer;
  lseek(request: Request, reply: Reply): Answer;
  opendir(request: Request, reply: Reply): Answer;
  /** READDIR and READDIRPLUS, told apart by `isPlus`. Writes dirents of at most `request.size` bytes to the payload. */
  readdir(request: Request, reply: Reply, isPlus: boolean): Answer;
  releasedir(request: Request, reply: Reply): Answer;
  fsyncdir(request: Request, reply: Reply): Answer;
  statfs(request: Request, reply: Reply): Answer;
  getxattr(request: Request, reply: Reply): Answer;
  listxattr(request: Request, reply: Reply): Answer;
  setxattr(request: Request, reply: Reply): Answer;
  removexattr(request: Request, reply: Reply): Answer;
  /** After the answer to a request has been written to the kernel (not for LATER). */
  answered(request: Request): void;
  /** The connection is over (unmounted, or aborted): no request of it comes any more. */
  ended(connection: Connection): void;
}
