import os from "node:os";
import { type Fd, writeInPool } from "../../../native/index.ts";
import { NOTIFY_INVAL_ENTRY, NOTIFY_INVAL_INODE, NOTIFY_RESEND, OUT_HEADER_SIZE } from "./constants.ts";

const { ENOENT } = os.constants.errno;
/** Notifications that wait; more are not kept, since who makes them must never have to wait. */
export const QUEUE_ROOM = 1024;
const INVAL_INODE_OUT_SIZE = 24;
const INVAL_ENTRY_OUT_SIZE = 16;

/** A message to the kernel: struct fuse_out_header whose `unique` is 0 and whose `error` says what follows. */
function message(code: number, size: number): Buffer {
  const bytes = Buffer.alloc(OUT_HEADER_SIZE + size);
  bytes.writeUInt32LE(bytes.length, 0);
  bytes.writeInt32LE(code, 4);
  return bytes;
}

/** Attributes and all pages of a node. Offset 0 and length 0 mean all of it; a negative offset would spare the pages. */
function invalInode(node: number): Buffer {
  const bytes = message(NOTIFY_INVAL_INODE, INVAL_INODE_OUT_SIZE);
  bytes.writeBigUInt64LE(BigInt(node), OUT_HEADER_SIZE);
  return bytes;
}

/** The name `name` (1 to 255 bytes, without a NUL) in a directory. */
function invalEntry(directory: number, name: Buffer): Buffer {
  const bytes = message(NOTIFY_INVAL_ENTRY, INVAL_ENTRY_OUT_SIZE + name.length + 1);
  bytes.writeBigUInt64LE(BigInt(directory), OUT_HEADER_SIZE);
  bytes.writeUInt32LE(name.length, OUT_HEADER_SIZE + 8);
  name.copy(bytes, OUT_HEADER_SIZE + INVAL_ENTRY_OUT_SIZE);
  return bytes;
}

/** All requests that were read and not answered, to be read again (protocol 7.40). */
function resend(): Buffer {
  return message(NOTIFY_RESEND, 0);
}

/**
 * What one connection's kernel is still to be told. The kernel may make the writer of a notification wait for a lock that a
 * client holds while its own request is not answered: so each is written in libuv's pool, one at a time, and the thread
 * that serves goes on.
 */
export class Notifications {
  readonly #fd: Fd;
  readonly #refused: (errno: number) => void;
  /** In the order they were asked for; the same one twice is one. */
  readonly #waiting = new Map<string, Buffer>();
  #hasOverflowed = false;
  #isClosed = false;
  /** Settles when nothing is being written any more. */
  #writing: Promise<void> | undefined;

  /** `refused` is told what the kernel did not take; that it does not know the node is no refusal. */
  constructor(fd: Fd, refused: (errno: number) => void) {
    this.#fd = fd;
    this.#refused = refused;
  }

  /** From an overflow until everything that waits is written. */
  get hasOverflowed(): boolean {
    return this.#hasOverflowed;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  invalidate(node: number, name: Buffer | undefined): void {
    this.#put(String(node), () => invalInode(node));
    if (name !== undefined) {
      this.#put(`${String(node)}/${name.toString("latin1")}`, () => invalEntry(node, name));
    }
  }

  resend(): void {
    this.#put("resend", resend);
  }

  /** Nothing further is written. Settles when the descriptor is not in use any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting.clear();
    await this.#writing;
  }

  #put(key: string, encode: () => Buffer): void {
    if (this.#isClosed || this.#waiting.has(key)) return;
    if (this.#waiting.size >= QUEUE_ROOM) {
      this.#hasOverflowed = true;
      return;
    }
    this.#waiting.set(key, encode());
    this.#writing ??= this.#drain();
  }

  async #drain(): Promise<void> {
    // Begins in a later microtask: what one change asks for is together by then.
    await Promise.resolve();
    try {
      for (;;) {
        const next = this.#waiting.entries().next();
        if (next.done === true) break;
        const [key, bytes] = next.value;
        // Before it is written: what is asked for meanwhile may be newer than what the kernel is being told.
        this.#waiting.delete(key);
        const result = await writeInPool(this.#fd, bytes);
        if (result < 0 && result !== -ENOENT && !this.#isClosed) this.#refused(-result);
      }
    } finally {
      this.#hasOverflowed = false;
      this.#writing = undefined;
    }
  }
}
