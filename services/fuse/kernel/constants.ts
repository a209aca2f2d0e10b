/**
 * Numbers of <linux/fuse.h> that this server uses, under the names they have there without FUSE_. Those that protocol
 * 7.39 and later brought are not in the headers of every distribution yet.
 */

/** INIT: the major version, the oldest minor that is served, and the newest that is known. */
export const KERNEL_VERSION = 7;
export const OLDEST_MINOR = 31;
export const NEWEST_MINOR = 45;

export const ROOT_ID = 1;

// INIT flags
export const ASYNC_READ = 1 << 0;
export const ATOMIC_O_TRUNC = 1 << 3;
export const BIG_WRITES = 1 << 5;
export const AUTO_INVAL_DATA = 1 << 12;
export const DO_READDIRPLUS = 1 << 13;
export const READDIRPLUS_AUTO = 1 << 14;
export const ASYNC_DIO = 1 << 15;
export const PARALLEL_DIROPS = 1 << 18;
export const MAX_PAGES = 1 << 22;
export const HANDLE_KILLPRIV_V2 = 1 << 28;
/** The second word of flags is there, in the offer and in the answer. */
export const INIT_EXT = 1 << 30;

// INIT flags, second word: bit 32 and up of the header's 64-bit numbers
/** 7.39 */
export const DIRECT_IO_ALLOW_MMAP = 1 << 4;
/** 7.40 */
export const PASSTHROUGH = 1 << 5;
/** 7.40 */
export const HAS_RESEND = 1 << 7;

// what an answer to OPEN, OPENDIR and CREATE says of the handle
export const FOPEN_DIRECT_IO = 1 << 0;
export const FOPEN_KEEP_CACHE = 1 << 1;
export const FOPEN_NONSEEKABLE = 1 << 2;
export const FOPEN_CACHE_DIR = 1 << 3;
export const FOPEN_STREAM = 1 << 4;
export const FOPEN_NOFLUSH = 1 << 5;
export const FOPEN_PARALLEL_DIRECT_WRITES = 1 << 6;
/** 7.40 */
export const FOPEN_PASSTHROUGH = 1 << 7;

// SETATTR: what is given
export const FATTR_MODE = 1 << 0;
export const FATTR_UID = 1 << 1;
export const FATTR_GID = 1 << 2;
export const FATTR_SIZE = 1 << 3;
export const FATTR_ATIME = 1 << 4;
export const FATTR_MTIME = 1 << 5;
export const FATTR_FH = 1 << 6;
export const FATTR_ATIME_NOW = 1 << 7;
export const FATTR_MTIME_NOW = 1 << 8;
export const FATTR_KILL_SUIDGID = 1 << 11;

/** GETATTR's `flags`: `handle` is given. */
export const GETATTR_FH = 1 << 0;
export const OPEN_KILL_SUIDGID = 1 << 0;
export const WRITE_CACHE = 1 << 0;
export const WRITE_KILL_SUIDGID = 1 << 2;

// notifications: the `error` of a message whose `unique` is 0
export const NOTIFY_INVAL_INODE = 2;
export const NOTIFY_INVAL_ENTRY = 3;
/** 7.40 */
export const NOTIFY_RESEND = 7;

/** Bit 63 of `unique`, here as a bit of its upper half: the request was given to a server before this one. 7.40. */
export const UNIQUE_RESEND_HIGH = 0x8000_0000;

// sizes of structures
export const IN_HEADER_SIZE = 40;
export const OUT_HEADER_SIZE = 16;
export const ATTR_SIZE = 88;
export const ENTRY_OUT_SIZE = 128;
export const ATTR_OUT_SIZE = 104;
export const OPEN_OUT_SIZE = 16;
export const WRITE_OUT_SIZE = 8;
export const KSTATFS_SIZE = 80;
export const GETXATTR_OUT_SIZE = 8;
export const LSEEK_OUT_SIZE = 8;
export const INIT_OUT_SIZE = 64;

/** The longest name, without its NUL; PATH_MAX without its NUL for a symbolic link's target. */
export const NAME_MAX = 255;
export const TARGET_MAX = 4095;
/** The most that one READ or WRITE carries, and the pages the kernel sets aside for it. */
export const MAX_WRITE = 1 << 20;
export const MAX_WRITE_PAGES = MAX_WRITE / 4096;
