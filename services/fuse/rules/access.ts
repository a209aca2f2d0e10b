/**
 * The second lock: the mode bits of the backing file, judged again at each open and each change, whatever the kernel's
 * copy of them said. Rules of path_resolution(7), unlink(2) and chmod(2).
 */
import type { FileFacts } from "./attributes.ts";

/** Bits of a request, as in a mode's lowest three. */
export const READ = 4;
export const WRITE = 2;
export const EXECUTE = 1;

const S_IFMT = 0o170000;
const S_IFDIR = 0o040000;
const S_ISGID = 0o2000;
const S_ISVTX = 0o1000;
const S_IXGRP = 0o0010;

/**
 * Who asks. `isMember` is asked only when the answer depends on a supplementary group, for it may have to read /proc; it
 * answers undefined when that cannot be learned, and then nothing is allowed that either answer would deny.
 */
export interface Credentials {
  readonly uid: number;
  readonly gid: number;
  isMember(gid: number): boolean | undefined;
}

/** Whether `who` may do all of `wanted` (READ | WRITE | EXECUTE) to a file. */
export function permits(who: Credentials, file: FileFacts, wanted: number): boolean {
  if (who.uid === 0) return (wanted & EXECUTE) === 0 || isDirectory(file) || (file.mode & 0o111) !== 0;
  return (allowedBits(who, file, wanted) & wanted) === wanted;
}

function allowedBits(who: Credentials, file: FileFacts, wanted: number): number {
  if (who.uid === file.uid) return (file.mode >> 6) & 7;
  const group = (file.mode >> 3) & 7;
  const others = file.mode & 7;
  if (who.gid === file.gid) return group;
  // Only where the two classes answer differently does it matter which of them the caller is in.
  if ((group & wanted) === (others & wanted)) return others;
  const isMember = who.isMember(file.gid);
  if (isMember === undefined) return group & others;
  return isMember ? group : others;
}

/** Whether an entry that leads to `file` may be removed from `directory`, or renamed: the sticky bit's rule with the write bit's. */
export function mayRemove(who: Credentials, directory: FileFacts, file: FileFacts): boolean {
  if (!permits(who, directory, WRITE | EXECUTE)) return false;
  return who.uid === 0 || (directory.mode & S_ISVTX) === 0 || who.uid === directory.uid || who.uid === file.uid;
}

/** Whether `who` may change the mode and times of `file`. */
export function owns(who: Credentials, file: FileFacts): boolean {
  return who.uid === 0 || who.uid === file.uid;
}

/** Whether `who` may give `file` to these ids; undefined leaves one as it is. Only root gives files away. */
export function mayGive(who: Credentials, file: FileFacts, uid: number | undefined, gid: number | undefined): boolean {
  if (who.uid === 0) return true;
  if (who.uid !== file.uid || (uid !== undefined && uid !== file.uid)) return false;
  return gid === undefined || gid === file.gid || gid === who.gid || who.isMember(gid) === true;
}

/**
 * The permission bits that a file keeps when `who` asks for `mode`. Nothing but a directory ever has S_ISUID or S_ISGID;
 * a directory has S_ISGID only from somebody in its group.
 */
export function settableMode(who: Credentials, file: FileFacts, mode: number): number {
  if (!isDirectory(file)) return mode & 0o1777;
  const keepsSetgid = who.uid === 0 || who.gid === file.gid || who.isMember(file.gid) === true;
  return mode & (keepsSetgid ? 0o3777 : 0o1777);
}

/** The group of what is made in `directory`: its own where S_ISGID says so, else the caller's. */
export function groupOfNew(who: Credentials, directory: FileFacts): number {
  return (directory.mode & S_ISGID) === 0 ? who.gid : directory.gid;
}

/** The mode bits left when somebody without the right to keep them writes to a file or gives it away. */
export function withoutSetid(mode: number): number {
  const clearsSetgid = (mode & S_IXGRP) !== 0;
  return mode & (clearsSetgid ? 0o1777 : 0o3777);
}

function isDirectory(file: FileFacts): boolean {
  return (file.mode & S_IFMT) === S_IFDIR;
}
