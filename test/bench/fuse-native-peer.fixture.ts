/** A plain loopback over npm's fuse-native, for fuse.bench.ts: serves the folder argv[2] at argv[3] until SIGTERM. */
import fs, { type Stats } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import path from "node:path";

/** What the package passes to a handler's callback: 0 or a length, or an errno below 0. */
type Reply = (result: number, value?: unknown) => void;

interface FuseNative {
  new (mount: string, handlers: Readonly<Record<string, unknown>>): Mounted;
}

interface Mounted {
  mount(done: (error: Error | null) => void): void;
  unmount(done: (error: Error | null) => void): void;
}

// The package has no types of its own.
const Fuse = createRequire(import.meta.url)("fuse-native") as FuseNative;

const [, , storage = "", mount = ""] = process.argv;
const stored = (file: string): string => path.join(storage, file);
const failed = (error: NodeJS.ErrnoException): number => error.errno ?? -constants.errno.EIO;

const replyWith =
  (reply: Reply) =>
  (error: NodeJS.ErrnoException | null, value?: unknown): void => {
    if (error) reply(failed(error));
    else reply(0, value);
  };
const replyWithLength =
  (reply: Reply) =>
  (error: NodeJS.ErrnoException | null, length: number): void => {
    reply(error ? failed(error) : length);
  };

const fuse = new Fuse(mount, {
  getattr: (file: string, reply: Reply) => {
    fs.lstat(stored(file), (error: NodeJS.ErrnoException | null, stats?: Stats) => {
      replyWith(reply)(error, stats);
    });
  },
  readdir: (file: string, reply: Reply) => {
    fs.readdir(stored(file), replyWith(reply));
  },
  open: (file: string, flags: number, reply: Reply) => {
    fs.open(stored(file), flags, replyWith(reply));
  },
  create: (file: string, mode: number, reply: Reply) => {
    fs.open(stored(file), "wx+", mode, replyWith(reply));
  },
  read: (_: string, fd: number, buffer: Buffer, length: number, position: number, reply: Reply) => {
    fs.read(fd, buffer, 0, length, position, replyWithLength(reply));
  },
  write: (_: string, fd: number, buffer: Buffer, length: number, position: number, reply: Reply) => {
    fs.write(fd, buffer, 0, length, position, replyWithLength(reply));
  },
  truncate: (file: string, length: number, reply: Reply) => {
    fs.truncate(stored(file), length, replyWith(reply));
  },
  ftruncate: (_: string, fd: number, length: number, reply: Reply) => {
    fs.ftruncate(fd, length, replyWith(reply));
  },
  unlink: (file: string, reply: Reply) => {
    fs.unlink(stored(file), replyWith(reply));
  },
  // libfuse renames what is unlinked before its release has arrived.
  rename: (from: string, to: string, reply: Reply) => {
    fs.rename(stored(from), stored(to), replyWith(reply));
  },
  release: (_: string, fd: number, reply: Reply) => {
    fs.close(fd, replyWith(reply));
  },
});

const fatal = (error: Error | null): void => {
  if (error) throw error;
};
process.once("SIGTERM", () => {
  fuse.unmount(fatal);
});
fuse.mount(fatal);
