/** The kernel's side of a connection, over a pair of sockets: sends requests as <linux/fuse.h> lays them out, reads answers. */
import { setImmediate } from "node:timers/promises";
import { close, constants, type Fd, pollNow, receive, send, socketPair } from "../../../../native/index.ts";
import type { Agreement, Connection } from "../../../../services/fuse/kernel/connection.ts";
import type { Answer, FileSystem, Reply, Request } from "../../../../services/fuse/kernel/filesystem.ts";
import { Session, type SessionOptions } from "../../../../services/fuse/kernel/session.ts";
import { Turns } from "../../../../services/fuse/kernel/turns.ts";

const IN_HEADER_SIZE = 40;
const AGREEMENT: Agreement = { minor: 45, flags: 0, flags2: 1 << 7 };

export const u32 = (...values: number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer);
export const u64 = (...values: (number | bigint)[]): Buffer =>
  Buffer.from(BigUint64Array.from(values.map((value) => BigInt.asUintN(64, BigInt(value)))).buffer);
export const text = (...names: string[]): Buffer => Buffer.from(names.map((name) => `${name}\0`).join(""), "latin1");

export interface Header {
  readonly unique?: number | bigint;
  readonly node?: number | bigint;
  readonly uid?: number;
  readonly gid?: number;
  readonly pid?: number;
}

/** struct fuse_in_header and what follows. */
export function message(opcode: number, body: Uint8Array = Buffer.alloc(0), header: Header = {}): Buffer {
  const { unique = 2, node = 1, uid = 1000, gid = 1000, pid = 77 } = header;
  const length = IN_HEADER_SIZE + body.length;
  return Buffer.concat([u32(length, opcode), u64(unique, node), u32(uid, gid, pid, 0), body]);
}

/** One good request of every opcode that a method serves, by its name: what follows the header. */
export const BODIES: Readonly<Record<string, readonly [opcode: number, body: Buffer]>> = {
  LOOKUP: [1, text("name")],
  GETATTR: [3, Buffer.concat([u32(1, 0), u64(9)])],
  SETATTR: [
    4,
    Buffer.concat([
      u32(0x7f, 0),
      u64(9, 10, 0, 11, -12n, 13),
      u32(14, 15, 16, 0o644, 0, 1001, 1002, 0), //
    ]),
  ],
  READLINK: [5, Buffer.alloc(0)],
  SYMLINK: [6, text("name", "../to/there")],
  MKNOD: [8, Buffer.concat([u32(0o100644, 5, 0o22, 0), text("name")])],
  MKDIR: [9, Buffer.concat([u32(0o755, 0o22), text("name")])],
  UNLINK: [10, text("name")],
  RMDIR: [11, text("name")],
  RENAME: [12, Buffer.concat([u64(3), text("name", "other")])],
  LINK: [13, Buffer.concat([u64(3), text("name")])],
  OPEN: [14, u32(0o1002, 1)],
  READ: [15, Buffer.concat([u64(9, 4096), u32(100, 0), u64(0), u32(2, 0)])],
  WRITE: [16, Buffer.concat([u64(9, 4096), u32(5, 5), u64(0), u32(2, 0), Buffer.from("hello")])],
  STATFS: [17, Buffer.alloc(0)],
  RELEASE: [18, Buffer.concat([u64(9), u32(2, 0), u64(0)])],
  FSYNC: [20, Buffer.concat([u64(9), u32(1, 0)])],
  SETXATTR: [21, Buffer.concat([u32(5, 1), text("user.a/b"), Buffer.from("value")])],
  GETXATTR: [22, Buffer.concat([u32(100, 0), text("user.a")])],
  LISTXATTR: [23, u32(0, 0)],
  REMOVEXATTR: [24, text("user.a")],
  FLUSH: [25, u64(9, 0, 0)],
  OPENDIR: [27, u32(0o200000, 0)],
  READDIR: [28, Buffer.concat([u64(9, 0x7fff_ffff_ffff_fff1n), u32(4096, 0), u64(0), u32(0, 0)])],
  RELEASEDIR: [29, Buffer.concat([u64(9), u32(2, 0), u64(0)])],
  FSYNCDIR: [30, Buffer.concat([u64(9), u32(1, 0)])],
  CREATE: [35, Buffer.concat([u32(0o102, 0o100600, 0o22, 0), text("name")])],
  FALLOCATE: [43, Buffer.concat([u64(9, 4096, 100), u32(3, 0)])],
  READDIRPLUS: [44, Buffer.concat([u64(9, 0), u32(4096, 0), u64(0), u32(0, 0)])],
  RENAME2: [45, Buffer.concat([u64(3), u32(1, 0), text("name", "other")])],
  LSEEK: [46, Buffer.concat([u64(9, 4096), u32(3, 0)])],
};

export interface Answered {
  readonly error: number;
  readonly unique: bigint;
  readonly payload: Buffer;
}

export function answerOf(bytes: Buffer): Answered {
  if (bytes.readUInt32LE(0) !== bytes.length) throw new Error("an answer whose length is not its header's");
  return { error: bytes.readInt32LE(4), unique: bytes.readBigUInt64LE(8), payload: bytes.subarray(16) };
}

type Method = (request: Request, reply: Reply) => Answer;

/** Answers every request well, and keeps what it was asked; `on` puts another method in place of one. */
export class Scripted implements FileSystem {
  readonly asked: string[] = [];
  readonly forgotten: (readonly [node: number, count: number])[] = [];
  readonly done: string[] = [];
  readonly over: Connection[] = [];
  readonly on: Partial<Record<string, Method>> = {};

  #ask(name: string, request: Request, reply: Reply, well: () => Answer): Answer {
    this.asked.push(name);
    return this.on[name]?.(request, reply) ?? well();
  }

  lookup = (q: Request, r: Reply): Answer => this.#ask("lookup", q, r, () => r.entry(5, 1, 2));
  getattr = (q: Request, r: Reply): Answer => this.#ask("getattr", q, r, () => r.attributes(2));
  setattr = (q: Request, r: Reply): Answer => this.#ask("setattr", q, r, () => r.attributes(2));
  readlink = (q: Request, r: Reply): Answer => this.#ask("readlink", q, r, () => r.copy(Buffer.from("target")));
  symlink = (q: Request, r: Reply): Answer => this.#ask("symlink", q, r, () => r.entry(5, 1, 2));
  mknod = (q: Request, r: Reply): Answer => this.#ask("mknod", q, r, () => r.entry(5, 1, 2));
  mkdir = (q: Request, r: Reply): Answer => this.#ask("mkdir", q, r, () => r.entry(5, 1, 2));
  unlink = (q: Request, r: Reply): Answer => this.#ask("unlink", q, r, () => 0);
  rmdir = (q: Request, r: Reply): Answer => this.#ask("rmdir", q, r, () => 0);
  rename = (q: Request, r: Reply): Answer => this.#ask("rename", q, r, () => 0);
  link = (q: Request, r: Reply): Answer => this.#ask("link", q, r, () => r.entry(5, 1, 2));
  open = (q: Request, r: Reply): Answer => this.#ask("open", q, r, () => r.opened(9, 1, 0));
  create = (q: Request, r: Reply): Answer => this.#ask("create", q, r, () => r.created(5, 1, 2, 9, 128, 7));
  read = (q: Request, r: Reply): Answer => this.#ask("read", q, r, () => r.copy(Buffer.from("content")));
  write = (q: Request, r: Reply): Answer => this.#ask("write", q, r, () => r.written(q.size));
  flush = (q: Request, r: Reply): Answer => this.#ask("flush", q, r, () => 0);
  release = (q: Request, r: Reply): Answer => this.#ask("release", q, r, () => 0);
  fsync = (q: Request, r: Reply): Answer => this.#ask("fsync", q, r, () => 0);
  fallocate = (q: Request, r: Reply): Answer => this.#ask("fallocate", q, r, () => 0);
  lseek = (q: Request, r: Reply): Answer => this.#ask("lseek", q, r, () => r.position(2 ** 40 + 1));
  opendir = (q: Request, r: Reply): Answer => this.#ask("opendir", q, r, () => r.opened(9, 0, 0));
  readdir = (q: Request, r: Reply, isPlus: boolean): Answer =>
    this.#ask(isPlus ? "readdirplus" : "readdir", q, r, () => 0);
  releasedir = (q: Request, r: Reply): Answer => this.#ask("releasedir", q, r, () => 0);
  fsyncdir = (q: Request, r: Reply): Answer => this.#ask("fsyncdir", q, r, () => 0);
  statfs = (q: Request, r: Reply): Answer => this.#ask("statfs", q, r, () => r.copy(Buffer.alloc(80)));
  getxattr = (q: Request, r: Reply): Answer =>
    this.#ask("getxattr", q, r, () =>
      q.size === 0 ? r.xattrLength(3) : r.copy(Buffer.from("abc").subarray(0, q.size)),
    );
  listxattr = (q: Request, r: Reply): Answer =>
    this.#ask("listxattr", q, r, () =>
      q.size === 0 ? r.xattrLength(3) : r.copy(Buffer.from("ab\0").subarray(0, q.size)),
    );
  setxattr = (q: Request, r: Reply): Answer => this.#ask("setxattr", q, r, () => 0);
  removexattr = (q: Request, r: Reply): Answer => this.#ask("removexattr", q, r, () => 0);

  forget(_connection: Connection, node: number, count: number): void {
    this.forgotten.push([node, count]);
  }
  answered(request: Request): void {
    this.done.push(String(request.unique));
  }
  ended(connection: Connection): void {
    this.over.push(connection);
  }
}

/** A session that is served, and the other end of its descriptor. */
export class Wire implements AsyncDisposable {
  readonly kernel: Fd;
  readonly session: Session;
  readonly fileSystem: Scripted;
  readonly warnings: string[] = [];
  readonly lines: string[] = [];
  readonly turns: Turns;
  readonly #ownTurns: boolean;
  readonly #room = Buffer.alloc(1 << 20);

  constructor(options: Partial<SessionOptions> & { turns?: Turns; fileSystem?: Scripted } = {}) {
    const [kernel, fd] = socketPair("datagram");
    this.kernel = kernel;
    this.fileSystem = options.fileSystem ?? new Scripted();
    this.session = new Session({
      id: options.id ?? 1,
      fd,
      agreement: "agreement" in options ? options.agreement : AGREEMENT,
      warn: (line) => this.warnings.push(line),
      trace: (line) => this.lines.push(line),
      ...(options.agreed === undefined ? {} : { agreed: options.agreed }),
      fileSystem: this.fileSystem,
    });
    this.#ownTurns = options.turns === undefined;
    this.turns = options.turns ?? new Turns();
    this.turns.add(this.session);
  }

  send(bytes: Buffer): void {
    if (send(this.kernel, bytes) !== bytes.length) throw new Error("the queue of the test's socket is full");
  }

  /** The next answer, or undefined when there is none although the session had time for it. */
  async next(): Promise<Buffer | undefined> {
    for (let patience = 0; patience < 2000; patience++) {
      const length = receive(this.kernel, this.#room);
      if (length !== undefined) return Buffer.from(this.#room.subarray(0, length));
      await new Promise((resolve) => setTimeout(resolve, patience < 5 ? 0 : 1));
    }
    return undefined;
  }

  async ask(bytes: Buffer): Promise<Answered> {
    this.send(bytes);
    const answer = await this.next();
    if (answer === undefined) throw new Error("no answer");
    return answerOf(answer);
  }

  /** Everything that is answered until the answer to a request of our own, which is not among it. */
  async settled(): Promise<Answered[]> {
    const mark = 0x1_0000_0002n;
    // In a batch of its own: within one, requests are not served in the order they came.
    while (pollNow(this.session.fd, constants.POLLIN) !== 0) await setImmediate();
    this.send(message(38, undefined, { unique: mark, uid: 0, node: 0 }));
    const answers: Answered[] = [];
    for (;;) {
      const bytes = await this.next();
      if (bytes === undefined) throw new Error("no answer");
      const answer = answerOf(bytes);
      if (answer.unique === mark) return answers;
      answers.push(answer);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.turns.remove(this.session);
    if (this.#ownTurns) this.turns[Symbol.dispose]();
    await this.session.end();
    close(this.kernel);
  }
}
