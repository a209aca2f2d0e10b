/** Runs as a user who owns nothing of the folder in the argument, and prints what each call says. */
import { constants as fs, openSync } from "node:fs";
import {
  constants,
  fsetxattr,
  isSyscallError,
  linkat,
  mkdirat,
  mount,
  mountSetattr,
  openBeneath,
  renameat2,
  symlinkat,
  umount2,
  unlinkat,
  unshare,
  type Fd,
} from "../../native/index.ts";

const folder = process.argv[2] ?? "";
const dir = openSync(folder, fs.O_RDONLY | fs.O_DIRECTORY) as Fd;
const calls: Record<string, () => unknown> = {
  open: () => openBeneath(dir, "closed/file", fs.O_RDONLY),
  read: () => openBeneath(dir, "file", fs.O_RDONLY),
  write: () => openBeneath(dir, "file", fs.O_RDWR),
  mkdirat: () => {
    mkdirat(dir, "made", 0o700);
  },
  unlinkat: () => {
    unlinkat(dir, "file", 0);
  },
  renameat2: () => {
    renameat2(dir, "file", dir, "other", 0);
  },
  linkat: () => {
    linkat(dir, "file", dir, "other", 0);
  },
  symlinkat: () => {
    symlinkat("x", dir, "other");
  },
  fsetxattr: () => {
    fsetxattr(openBeneath(dir, "file", fs.O_RDONLY), "trusted.x", new Uint8Array(1), 0);
  },
  mount: () => {
    mount("tmpfs", folder, "tmpfs", 0);
  },
  umount2: () => {
    umount2("/proc", 0);
  },
  mountSetattr: () => {
    mountSetattr(constants.AT_FDCWD as Fd, "/proc", 0, { set: constants.MOUNT_ATTR_RDONLY });
  },
  unshare: () => {
    unshare(constants.CLONE_NEWNS);
  },
};
const said: Record<string, string> = {};
for (const [name, call] of Object.entries(calls)) {
  try {
    call();
    said[name] = "done";
  } catch (error) {
    if (!isSyscallError(error)) throw error;
    said[name] = error.code;
  }
}
console.log(JSON.stringify(said));
