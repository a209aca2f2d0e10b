import {
  ATTR_OUT_SIZE,
  ENTRY_OUT_SIZE,
  GETXATTR_OUT_SIZE,
  INIT_OUT_SIZE,
  KSTATFS_SIZE,
  LSEEK_OUT_SIZE,
  OPEN_OUT_SIZE,
  TARGET_MAX,
  WRITE_OUT_SIZE,
} from "./constants.ts";
import type { Answer, FileSystem, Reply } from "./filesystem.ts";
import * as layouts from "./layout.ts";
import type { Layout } from "./layout.ts";
import type { DecodedRequest } from "./request.ts";

/** What an answer carries; the table below says how long it is. */
export type ReplyLayout = keyof typeof FIXED | "target" | "content" | "xattr" | "unanswered";

const FIXED = {
  nothing: 0,
  entry: ENTRY_OUT_SIZE,
  attributes: ATTR_OUT_SIZE,
  open: OPEN_OUT_SIZE,
  create: ENTRY_OUT_SIZE + OPEN_OUT_SIZE,
  write: WRITE_OUT_SIZE,
  statistics: KSTATFS_SIZE,
  position: LSEEK_OUT_SIZE,
  init: INIT_OUT_SIZE,
} as const;

type Method = (fileSystem: FileSystem, request: DecodedRequest, reply: Reply) => Answer;

export interface Operation {
  readonly code: number;
  readonly name: string;
  /** Bytes that must follow the header at least. */
  readonly least: number;
  readonly layout: Layout;
  readonly reply: ReplyLayout;
  /** Nothing is lost when a request that waits is answered EINTR instead: its man page says that this happens. */
  readonly isInterruptible: boolean;
  /** Undefined for what the session does itself, and for what nobody does (ENOSYS). */
  readonly method: Method | undefined;
}

export const FORGET = 2;
export const INIT = 26;
export const INTERRUPT = 36;
export const DESTROY = 38;
export const BATCH_FORGET = 42;

const MAY_BE_INTERRUPTED = true;

const operation = (
  code: number,
  name: string,
  least: number,
  layout: Layout,
  reply: ReplyLayout,
  method?: Method,
  isInterruptible = false,
): Operation => ({ code, name, least, layout, reply, method, isInterruptible });

const unknown = (code: number, name: string): Operation => operation(code, name, 0, layouts.nothing, "nothing");

const TABLE: readonly Operation[] = [
  operation(1, "LOOKUP", 2, layouts.name, "entry", (f, q, r) => f.lookup(q, r)),
  operation(FORGET, "FORGET", 8, layouts.nothing, "unanswered"),
  operation(3, "GETATTR", 16, layouts.getattr, "attributes", (f, q, r) => f.getattr(q, r)),
  operation(4, "SETATTR", 88, layouts.setattr, "attributes", (f, q, r) => f.setattr(q, r)),
  operation(5, "READLINK", 0, layouts.nothing, "target", (f, q, r) => f.readlink(q, r)),
  operation(6, "SYMLINK", 4, layouts.symlink, "entry", (f, q, r) => f.symlink(q, r)),
  operation(8, "MKNOD", 18, layouts.mknod, "entry", (f, q, r) => f.mknod(q, r)),
  operation(9, "MKDIR", 10, layouts.mkdir, "entry", (f, q, r) => f.mkdir(q, r)),
  operation(10, "UNLINK", 2, layouts.name, "nothing", (f, q, r) => f.unlink(q, r)),
  operation(11, "RMDIR", 2, layouts.name, "nothing", (f, q, r) => f.rmdir(q, r)),
  operation(12, "RENAME", 12, layouts.rename, "nothing", (f, q, r) => f.rename(q, r)),
  operation(13, "LINK", 10, layouts.link, "entry", (f, q, r) => f.link(q, r)),
  operation(14, "OPEN", 8, layouts.open, "open", (f, q, r) => f.open(q, r), MAY_BE_INTERRUPTED),
  operation(15, "READ", 40, layouts.read, "content", (f, q, r) => f.read(q, r), MAY_BE_INTERRUPTED),
  operation(16, "WRITE", 40, layouts.write, "write", (f, q, r) => f.write(q, r), MAY_BE_INTERRUPTED),
  operation(17, "STATFS", 0, layouts.nothing, "statistics", (f, q, r) => f.statfs(q, r), MAY_BE_INTERRUPTED),
  operation(18, "RELEASE", 24, layouts.release, "nothing", (f, q, r) => f.release(q, r)),
  operation(20, "FSYNC", 16, layouts.fsync, "nothing", (f, q, r) => f.fsync(q, r), MAY_BE_INTERRUPTED),
  operation(21, "SETXATTR", 10, layouts.setxattr, "nothing", (f, q, r) => f.setxattr(q, r)),
  operation(22, "GETXATTR", 10, layouts.getxattr, "xattr", (f, q, r) => f.getxattr(q, r)),
  operation(23, "LISTXATTR", 8, layouts.listxattr, "xattr", (f, q, r) => f.listxattr(q, r)),
  operation(24, "REMOVEXATTR", 2, layouts.removexattr, "nothing", (f, q, r) => f.removexattr(q, r)),
  // Not interruptible although close(2) is: it is the last chance to hear that what was written is no good.
  operation(25, "FLUSH", 24, layouts.flush, "nothing", (f, q, r) => f.flush(q, r)),
  operation(INIT, "INIT", 16, layouts.nothing, "init"),
  operation(27, "OPENDIR", 8, layouts.open, "open", (f, q, r) => f.opendir(q, r)),
  operation(28, "READDIR", 40, layouts.readdir, "content", (f, q, r) => f.readdir(q, r, false)),
  operation(29, "RELEASEDIR", 24, layouts.release, "nothing", (f, q, r) => f.releasedir(q, r)),
  operation(30, "FSYNCDIR", 16, layouts.fsync, "nothing", (f, q, r) => f.fsyncdir(q, r), MAY_BE_INTERRUPTED),
  unknown(31, "GETLK"),
  unknown(32, "SETLK"),
  unknown(33, "SETLKW"),
  unknown(34, "ACCESS"),
  operation(35, "CREATE", 18, layouts.create, "create", (f, q, r) => f.create(q, r), MAY_BE_INTERRUPTED),
  operation(INTERRUPT, "INTERRUPT", 8, layouts.nothing, "unanswered"),
  unknown(37, "BMAP"),
  operation(DESTROY, "DESTROY", 0, layouts.nothing, "nothing"),
  unknown(39, "IOCTL"),
  unknown(40, "POLL"),
  // Carries what NOTIFY_RETRIEVE asked for, which is never sent here; the kernel waits for no answer.
  operation(41, "NOTIFY_REPLY", 0, layouts.nothing, "unanswered"),
  operation(BATCH_FORGET, "BATCH_FORGET", 8, layouts.batchForget, "unanswered"),
  operation(43, "FALLOCATE", 32, layouts.fallocate, "nothing", (f, q, r) => f.fallocate(q, r), MAY_BE_INTERRUPTED),
  operation(44, "READDIRPLUS", 40, layouts.readdir, "content", (f, q, r) => f.readdir(q, r, true)),
  operation(45, "RENAME2", 20, layouts.rename2, "nothing", (f, q, r) => f.rename(q, r)),
  operation(46, "LSEEK", 24, layouts.lseek, "position", (f, q, r) => f.lseek(q, r)),
  unknown(47, "COPY_FILE_RANGE"),
  unknown(48, "SETUPMAPPING"),
  unknown(49, "REMOVEMAPPING"),
  unknown(50, "SYNCFS"),
  unknown(51, "TMPFILE"),
  unknown(52, "STATX"),
  unknown(53, "COPY_FILE_RANGE_64"),
];

/** By code; a code that is not there is unknown to this server. */
export const OPERATIONS: readonly (Operation | undefined)[] = Array.from(
  { length: Math.max(...TABLE.map(({ code }) => code)) + 1 },
  (_, code) => TABLE.find((operation) => operation.code === code),
);

/** Whether a payload of `length` bytes is what the kernel takes as the answer to this request. */
export function fits(operation: Operation, request: DecodedRequest, length: number): boolean {
  const layout = operation.reply;
  if (layout === "content") return length <= request.size;
  if (layout === "xattr") return request.size === 0 ? length === GETXATTR_OUT_SIZE : length <= request.size;
  if (layout === "target") return length <= TARGET_MAX;
  return layout !== "unanswered" && length === FIXED[layout];
}
