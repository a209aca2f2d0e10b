/**
 * What follows the header of each request, as <linux/fuse.h> lays it out. A layout is called when at least the fixed part
 * is there (`least` of `opcode.ts`); it answers 0 or a negated errno.
 */
import os from "node:os";
import {
  FATTR_ATIME,
  FATTR_ATIME_NOW,
  FATTR_FH,
  FATTR_GID,
  FATTR_KILL_SUIDGID,
  FATTR_MTIME,
  FATTR_MTIME_NOW,
  FATTR_SIZE,
  FATTR_UID,
  GETATTR_FH,
  MAX_WRITE,
  NAME_MAX,
  OPEN_KILL_SUIDGID,
  TARGET_MAX,
  WRITE_CACHE,
  WRITE_KILL_SUIDGID,
} from "./constants.ts";
import type { DecodedRequest } from "./request.ts";

const { EINVAL, ENXIO } = os.constants.errno;
const NANOS = 1_000_000_000;
const NO_ID = 0xffff_ffff;

export type Layout = (request: DecodedRequest) => number;

export const nothing: Layout = () => 0;

function component(request: DecodedRequest, at: number): number {
  const length = request.componentLength(at, NAME_MAX);
  if (length < 0) return length;
  request.name = at;
  request.nameLength = length;
  return 0;
}

function secondComponent(request: DecodedRequest): number {
  const at = request.name + request.nameLength + 1;
  const length = request.componentLength(at, NAME_MAX);
  if (length < 0) return length;
  request.newName = at;
  request.newNameLength = length;
  return 0;
}

/** An xattr's name is no path: slashes and dots are bytes like others. */
function xattrName(request: DecodedRequest, at: number): number {
  const length = request.textLength(at, NAME_MAX);
  if (length < 0) return length;
  request.name = at;
  request.nameLength = length;
  return 0;
}

function handle(request: DecodedRequest, word: number): number {
  request.handle = request.long(word);
  return request.handle < 0 ? -EINVAL : 0;
}

export const name: Layout = (request) => component(request, request.body);

/** struct fuse_getattr_in */
export const getattr: Layout = (request) => {
  const w = request.body >>> 2;
  request.flags = request.word(w);
  return (request.flags & GETATTR_FH) === 0 ? 0 : handle(request, w + 2);
};

/** struct fuse_setattr_in */
export const setattr: Layout = (request) => {
  const w = request.body >>> 2;
  const valid = (request.valid = request.word(w));
  request.size = request.long(w + 4);
  request.atimeSeconds = request.signedLong(w + 8);
  request.mtimeSeconds = request.signedLong(w + 10);
  request.atimeNanos = request.word(w + 14);
  request.mtimeNanos = request.word(w + 15);
  request.mode = request.word(w + 17);
  request.newUid = request.word(w + 19);
  request.newGid = request.word(w + 20);
  request.clearsSetid = (valid & FATTR_KILL_SUIDGID) !== 0;
  if ((valid & FATTR_SIZE) !== 0 && request.size < 0) return -EINVAL;
  if ((valid & FATTR_UID) !== 0 && request.newUid === NO_ID) return -EINVAL;
  if ((valid & FATTR_GID) !== 0 && request.newGid === NO_ID) return -EINVAL;
  if ((valid & (FATTR_ATIME | FATTR_ATIME_NOW)) === FATTR_ATIME) {
    if (request.atimeNanos >= NANOS || !Number.isSafeInteger(request.atimeSeconds)) return -EINVAL;
  }
  if ((valid & (FATTR_MTIME | FATTR_MTIME_NOW)) === FATTR_MTIME) {
    if (request.mtimeNanos >= NANOS || !Number.isSafeInteger(request.mtimeSeconds)) return -EINVAL;
  }
  return (valid & FATTR_FH) === 0 ? 0 : handle(request, w + 2);
};

/** The name, then the target. */
export const symlink: Layout = (request) => {
  const answer = component(request, request.body);
  if (answer < 0) return answer;
  const at = request.name + request.nameLength + 1;
  const length = request.textLength(at, TARGET_MAX);
  if (length < 0) return length;
  request.newName = at;
  request.newNameLength = length;
  return 0;
};

/** struct fuse_mknod_in, then the name */
export const mknod: Layout = (request) => {
  const w = request.body >>> 2;
  request.mode = request.word(w);
  request.rdev = request.word(w + 1);
  return component(request, request.body + 16);
};

/** struct fuse_mkdir_in, then the name */
export const mkdir: Layout = (request) => {
  request.mode = request.word(request.body >>> 2);
  return component(request, request.body + 8);
};

function renamed(request: DecodedRequest, names: number): number {
  request.otherNode = request.long(request.body >>> 2);
  if (request.otherNode < 0) return -EINVAL;
  const answer = component(request, names);
  return answer < 0 ? answer : secondComponent(request);
}

/** struct fuse_rename_in, then both names */
export const rename: Layout = (request) => {
  request.flags = 0;
  return renamed(request, request.body + 8);
};

/** struct fuse_rename2_in, then both names */
export const rename2: Layout = (request) => {
  request.flags = request.word((request.body >>> 2) + 2);
  return renamed(request, request.body + 16);
};

/** struct fuse_link_in, then the name */
export const link: Layout = (request) => {
  request.otherNode = request.long(request.body >>> 2);
  return request.otherNode < 0 ? -EINVAL : component(request, request.body + 8);
};

/** struct fuse_open_in */
export const open: Layout = (request) => {
  const w = request.body >>> 2;
  request.flags = request.word(w);
  request.clearsSetid = (request.word(w + 1) & OPEN_KILL_SUIDGID) !== 0;
  return 0;
};

/** struct fuse_create_in, then the name */
export const create: Layout = (request) => {
  const w = request.body >>> 2;
  request.flags = request.word(w);
  request.mode = request.word(w + 1);
  request.clearsSetid = (request.word(w + 3) & OPEN_KILL_SUIDGID) !== 0;
  return component(request, request.body + 16);
};

/** struct fuse_read_in */
export const read: Layout = (request) => {
  const w = request.body >>> 2;
  request.offset = request.long(w + 2);
  request.size = request.word(w + 4);
  request.flags = request.word(w + 8);
  return request.offset < 0 || request.size > MAX_WRITE ? -EINVAL : handle(request, w);
};

/** struct fuse_read_in, whose offset is a cookie of up to 63 bits: whatever it is, its halves are exact. */
export const readdir: Layout = (request) => {
  const w = request.body >>> 2;
  request.offsetLow = request.word(w + 2);
  request.offsetHigh = request.word(w + 3);
  request.offset = request.signedLong(w + 2);
  request.size = request.word(w + 4);
  request.flags = request.word(w + 8);
  return request.size > MAX_WRITE ? -EINVAL : handle(request, w);
};

/** struct fuse_write_in, then the bytes */
export const write: Layout = (request) => {
  const w = request.body >>> 2;
  request.offset = request.long(w + 2);
  request.size = request.word(w + 4);
  const writeFlags = request.word(w + 5);
  request.isCached = (writeFlags & WRITE_CACHE) !== 0;
  request.clearsSetid = (writeFlags & WRITE_KILL_SUIDGID) !== 0;
  request.flags = request.word(w + 8);
  request.data = request.body + 40;
  if (request.offset < 0 || request.size > request.end - request.data) return -EINVAL;
  return handle(request, w);
};

/** struct fuse_release_in */
export const release: Layout = (request) => {
  const w = request.body >>> 2;
  request.flags = request.word(w + 2);
  return handle(request, w);
};

/** struct fuse_flush_in */
export const flush: Layout = (request) => handle(request, request.body >>> 2);

/** struct fuse_fsync_in */
export const fsync: Layout = (request) => {
  const w = request.body >>> 2;
  request.flags = request.word(w + 2);
  return handle(request, w);
};

/** struct fuse_setxattr_in as it is without SETXATTR_EXT, then the name, then the value */
export const setxattr: Layout = (request) => {
  const w = request.body >>> 2;
  request.size = request.word(w);
  request.flags = request.word(w + 1);
  const answer = xattrName(request, request.body + 8);
  if (answer < 0) return answer;
  request.data = request.name + request.nameLength + 1;
  return request.size > request.end - request.data ? -EINVAL : 0;
};

/** struct fuse_getxattr_in, then the name */
export const getxattr: Layout = (request) => {
  request.size = request.word(request.body >>> 2);
  return xattrName(request, request.body + 8);
};

/** struct fuse_getxattr_in */
export const listxattr: Layout = (request) => {
  request.size = request.word(request.body >>> 2);
  return 0;
};

export const removexattr: Layout = (request) => xattrName(request, request.body);

/** struct fuse_fallocate_in */
export const fallocate: Layout = (request) => {
  const w = request.body >>> 2;
  request.offset = request.long(w + 2);
  request.size = request.long(w + 4);
  request.mode = request.word(w + 6);
  return request.offset < 0 || request.size < 0 ? -EINVAL : handle(request, w);
};

/** struct fuse_lseek_in */
export const lseek: Layout = (request) => {
  const w = request.body >>> 2;
  request.offset = request.long(w + 2);
  request.whence = request.word(w + 4);
  // lseek(2): there is neither data nor a hole before the beginning or beyond any end.
  return request.offset < 0 ? -ENXIO : handle(request, w);
};

/** struct fuse_batch_forget_in, then as many struct fuse_forget_one */
export const batchForget: Layout = (request) =>
  request.word(request.body >>> 2) * 16 > request.end - request.body - 8 ? -EINVAL : 0;
