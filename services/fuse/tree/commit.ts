import { constants as files, fchmodSync, fchownSync, writeSync } from "node:fs";
import { fsync, OwnedFd, openBeneath, renameat2, type Bytes, type Fd } from "../../../native/index.ts";

/** Where a committed file goes, and who owns it. */
export interface CommitTarget {
  readonly directory: Fd;
  readonly name: Bytes;
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

/**
 * Replaces a file so that whoever looks, and whoever looks after a loss of power, finds the old content or the new, and
 * never a part: written and synced under another name in `staging`, renamed, and the directory synced. `staging` is a
 * directory of the same file system that nobody else can reach. Throws an error whose `code` is
 * the errno (ENOSPC, EROFS, EDQUOT, EIO): then the old content stays.
 */
export function commitFile(staging: Fd, stagingName: string, content: Uint8Array, target: CommitTarget): void {
  const flags = files.O_WRONLY | files.O_CREAT | files.O_TRUNC;
  {
    using file = new OwnedFd(openBeneath(staging, stagingName, flags, 0o600));
    writeWhole(file.fd, content);
    // The owner first: that may clear bits of the mode.
    fchownSync(file.fd, target.uid, target.gid);
    fchmodSync(file.fd, target.mode);
    fsync(file.fd);
  }
  renameat2(staging, stagingName, target.directory, target.name, 0);
  fsync(target.directory);
}

function writeWhole(fd: Fd, content: Uint8Array): void {
  for (let written = 0; written < content.length;) {
    written += writeSync(fd, content, written, content.length - written);
  }
}
