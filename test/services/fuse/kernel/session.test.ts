import os from "node:os";
import fc from "fast-check";
import t from "tap";
import { LATER, type Later } from "../../../../services/fuse/kernel/filesystem.ts";
import { BODIES, message, Scripted, text, u32, u64, Wire } from "./wire.ts";

const { EINTR, EINVAL, EIO, ENAMETOOLONG, ENOENT, ENOSYS } = os.constants.errno;
const RESENT = 1n << 63n;
const LOOKUP = 1;
const FORGET = 2;
const READ = 15;
const INTERRUPT = 36;
const BATCH_FORGET = 42;

const read = (unique: number, uid = 1000): Buffer => message(READ, BODIES["READ"]?.[1], { unique, uid });
const interrupt = (unique: number | bigint): Buffer =>
  message(INTERRUPT, u64(unique), { unique: 3, node: 0, uid: 0, gid: 0, pid: 0 });

t.test("every opcode has its method called and is answered with a reply of its size", async (t) => {
  await using wire = new Wire();
  const sizes: Record<string, number> = {
    LOOKUP: 128,
    GETATTR: 104,
    SETATTR: 104,
    READLINK: 6,
    SYMLINK: 128,
    MKNOD: 128,
    MKDIR: 128,
    LINK: 128,
    OPEN: 16,
    READ: 7,
    WRITE: 8,
    STATFS: 80,
    GETXATTR: 3,
    LISTXATTR: 8,
    OPENDIR: 16,
    CREATE: 144,
    LSEEK: 8,
  };
  for (const [name, [opcode, body]] of Object.entries(BODIES)) {
    const answer = await wire.ask(message(opcode, body, { unique: opcode * 2 }));
    t.equal(answer.error, 0, name);
    t.equal(answer.unique, BigInt(opcode * 2));
    t.equal(answer.payload.length, sizes[name] ?? 0, `the size of what answers ${name}`);
    const method = name === "RENAME2" ? "rename" : name.toLowerCase();
    t.equal(wire.fileSystem.asked.at(-1), method);
    t.equal(wire.fileSystem.done.at(-1), String(opcode * 2), "it is told once the answer is written");
  }
  t.same(wire.warnings, []);
});

t.test("fields come as they were sent", async (t) => {
  await using wire = new Wire();
  const { on } = wire.fileSystem;
  const seen: Record<string, unknown> = {};
  const see = (name: string, fields: (q: Parameters<NonNullable<(typeof on)[string]>>[0]) => unknown): void => {
    on[name] = (q, r) => {
      seen[name] = fields(q);
      return name === "write" ? r.written(q.size) : name === "setattr" ? r.attributes(0) : 0;
    };
  };
  see("setattr", (q) => [
    ...[q.valid, q.handle, q.size, q.atimeSeconds, q.mtimeSeconds, q.atimeNanos, q.mtimeNanos],
    ...[q.mode, q.newUid, q.newGid, q.clearsSetid, q.uid, q.gid, q.pid, q.node],
  ]);
  see("write", (q) => [
    ...[q.handle, q.offset, q.size, q.isCached, q.clearsSetid, q.flags],
    q.bytes.toString("latin1", q.data, q.data + q.size),
  ]);
  see("rename", (q) => [
    ...[q.otherNode, q.flags],
    q.bytes.toString("latin1", q.name, q.name + q.nameLength + 1),
    q.bytes.toString("latin1", q.newName, q.newName + q.newNameLength + 1),
  ]);
  see("readdir", (q) => [q.handle, q.offsetLow, q.offsetHigh, q.size]);
  see("setxattr", (q) => [
    ...[q.flags, q.bytes.toString("latin1", q.name, q.name + q.nameLength)],
    q.bytes.toString("latin1", q.data, q.data + q.size),
  ]);
  for (const name of ["SETATTR", "WRITE", "RENAME2", "READDIR", "SETXATTR"]) {
    const [opcode, body] = BODIES[name] as [number, Buffer];
    t.equal((await wire.ask(message(opcode, body, { node: 4, uid: 1, gid: 2, pid: 3 }))).error, 0, name);
  }
  t.same(seen["setattr"], [0x7f, 9, 10, 11, -12, 14, 15, 0o644, 1001, 1002, false, 1, 2, 3, 4]);
  t.same(seen["write"], [9, 4096, 5, true, true, 2, "hello"]);
  t.same(seen["rename"], [3, 1, "name\0", "other\0"]);
  t.same(seen["readdir"], [9, 0xffff_fff1, 0x7fff_ffff, 4096]);
  t.same(seen["setxattr"], [1, "user.a/b", "value"]);
});

t.test("replies are laid out as the kernel reads them", async (t) => {
  await using wire = new Wire();
  wire.fileSystem.on["lookup"] = (_, r) => {
    r.bytes.fill(0xab, r.entryAttributes, r.entryAttributes + 88);
    return r.entry(2 ** 33 + 5, 2 ** 34 + 1, 7);
  };
  wire.fileSystem.on["getattr"] = (_, r) => {
    r.bytes.fill(0xcd, r.attributesAt, r.attributesAt + 88);
    return r.attributes(9);
  };
  const entry = Buffer.concat([u64(2 ** 33 + 5, 0, 2 ** 34 + 1, 7), u32(0, 0), Buffer.alloc(88, 0xab)]);
  t.same((await wire.ask(message(LOOKUP, text("a")))).payload, entry);
  const attributes = Buffer.concat([u64(9), u32(0, 0), Buffer.alloc(88, 0xcd)]);
  t.same((await wire.ask(message(3, BODIES["GETATTR"]?.[1]))).payload, attributes);
  const created = (await wire.ask(message(35, BODIES["CREATE"]?.[1]))).payload;
  t.same(created.subarray(128), Buffer.concat([u64(9), u32(128, 7)]));
  t.same((await wire.ask(message(46, BODIES["LSEEK"]?.[1]))).payload, u64(2 ** 40 + 1));
});

t.test("a truncated request is EINVAL, or ignored where the kernel waits for no answer", async (t) => {
  await using wire = new Wire();
  for (const [name, [opcode, body]] of Object.entries(BODIES)) {
    for (let length = 0; length < body.length; length++) {
      const answer = await wire.ask(message(opcode, body.subarray(0, length)));
      t.equal(answer.error, -EINVAL, `${name} cut to ${String(length)} bytes`);
    }
  }
  t.same(wire.fileSystem.asked, []);
  for (const [opcode, whole] of [
    [FORGET, u64(1)],
    [INTERRUPT, u64(2)],
    [BATCH_FORGET, Buffer.concat([u32(2, 0), u64(1, 1, 2, 1)])],
  ] as const) {
    for (let length = 0; length < whole.length; length++) {
      wire.send(message(opcode, whole.subarray(0, length)));
      t.same(await wire.settled(), [], `opcode ${String(opcode)} cut to ${String(length)} bytes`);
    }
  }
  t.same(wire.fileSystem.forgotten, []);
});

t.test("whatever bytes come, the session goes on and asks for nothing it was not asked", async (t) => {
  await using wire = new Wire();
  const opcode = fc.oneof(fc.integer({ min: 0, max: 70 }), fc.constantFrom(4096, 0xffff_ffff));
  const header = fc.record({
    unique: fc.bigInt({ min: 4n, max: (1n << 64n) - 1n }),
    node: fc.oneof(fc.nat(), fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })),
    uid: fc.oneof(fc.nat(), fc.constant(0xffff_ffff)),
    gid: fc.oneof(fc.nat(), fc.constant(0xffff_ffff)),
  });
  const framed = fc
    .tuple(opcode, fc.uint8Array({ maxLength: 300 }), header)
    .map(([code, body, head]) => message(code, body, head));
  // At least a header: the kernel never gives less, and what is missing would be what lay there before.
  const anything = fc.uint8Array({ minLength: 40, maxLength: 400 }).map((bytes) => Buffer.from(bytes));
  await fc.assert(
    fc.asyncProperty(fc.oneof({ weight: 4, arbitrary: framed }, anything), async (bytes) => {
      wire.send(bytes);
      for (const { error } of await wire.settled()) if (error > 0 || error <= -512) return false;
      return (await wire.ask(message(5))).payload.toString() === "target";
    }),
    { numRuns: 1000 },
  );
  t.equal(wire.session.hasEnded, false);
});

t.test("a name has 1 to 255 bytes, no slash, and is neither . nor ..", async (t) => {
  await using wire = new Wire();
  const lookup = async (name: string): Promise<number> => (await wire.ask(message(LOOKUP, text(name)))).error;
  t.equal(await lookup("n".repeat(255)), 0);
  t.equal(await lookup("n".repeat(256)), -ENAMETOOLONG);
  t.equal(await lookup("n".repeat(4000)), -ENAMETOOLONG);
  for (const name of ["", ".", "..", "a/b", "/", "a/"]) t.equal(await lookup(name), -EINVAL, JSON.stringify(name));
  for (const name of ["...", ".a", "..a", "a.", "\xff\x01"]) t.equal(await lookup(name), 0, JSON.stringify(name));
  const unended = await wire.ask(message(LOOKUP, Buffer.from("unended")));
  t.equal(unended.error, -EINVAL);

  const symlink = async (target: string): Promise<number> => (await wire.ask(message(6, text("a", target)))).error;
  t.equal(await symlink("t".repeat(4095)), 0);
  t.equal(await symlink("t".repeat(4096)), -ENAMETOOLONG);
  t.equal(await symlink(""), -EINVAL);
  t.equal(await symlink("/any/../text"), 0);

  const getxattr = async (name: string): Promise<number> =>
    (await wire.ask(message(22, Buffer.concat([u32(0, 0), text(name)])))).error;
  t.equal(await getxattr("x".repeat(255)), 0);
  t.equal(await getxattr("x".repeat(256)), -ENAMETOOLONG);
});

t.test("numbers that are not exact, and ids that are none, are refused", async (t) => {
  await using wire = new Wire();
  const error = async (opcode: number, body: Buffer, header = {}): Promise<number> =>
    (await wire.ask(message(opcode, body, header))).error;
  const reading = (handle: number | bigint, offset: number | bigint, size: number): Buffer =>
    Buffer.concat([u64(handle, offset), u32(size, 0), u64(0), u32(0, 0)]);
  t.equal(await error(READ, reading(2 ** 53 - 1, 2 ** 53 - 1, 1 << 20)), 0);
  t.equal(await error(READ, reading(2 ** 53, 0, 10)), -EINVAL);
  t.equal(await error(READ, reading(1, 2 ** 53, 10)), -EINVAL);
  t.equal(await error(READ, reading(1, -1n, 10)), -EINVAL);
  t.equal(await error(READ, reading(1, 0, (1 << 20) + 1)), -EINVAL);
  t.equal(await error(LOOKUP, text("a"), { node: 2 ** 53 }), -EINVAL);
  t.equal(await error(LOOKUP, text("a"), { uid: 0xffff_ffff }), -EINVAL);
  t.equal(await error(LOOKUP, text("a"), { gid: 0xffff_ffff }), -EINVAL);
});

t.test("an opcode nobody serves is ENOSYS, and one without an answer gets none", async (t) => {
  await using wire = new Wire();
  for (const opcode of [0, 7, 19, 31, 32, 33, 34, 37, 39, 40, 47, 48, 49, 50, 51, 52, 53, 54, 4096, 0xffff_ffff]) {
    t.equal((await wire.ask(message(opcode, Buffer.alloc(64)))).error, -ENOSYS, `opcode ${String(opcode)}`);
  }
  wire.send(message(41, Buffer.alloc(40)));
  t.same(await wire.settled(), []);
});

t.test("what is forgotten is told, one by one, and never answered", async (t) => {
  await using wire = new Wire();
  wire.send(message(FORGET, u64(3), { node: 7, uid: 0 }));
  wire.send(message(BATCH_FORGET, Buffer.concat([u32(2, 0), u64(8, 1, 9, 2n ** 60n)]), { node: 0 }));
  t.same(await wire.settled(), []);
  t.same(wire.fileSystem.forgotten, [
    [7, 3],
    [8, 1],
    [9, Number.MAX_SAFE_INTEGER],
  ]);
  wire.send(message(BATCH_FORGET, Buffer.concat([u32(0xffff_ffff, 0), u64(8, 1)]), { node: 0 }));
  t.same(await wire.settled(), []);
  t.equal(wire.fileSystem.forgotten.length, 3, "a count of more than there are is malformed");
});

t.test("a method that throws, or answers what is no answer to its request, is EIO and said", async (t) => {
  await using wire = new Wire();
  const { on } = wire.fileSystem;
  const bad: (() => number)[] = [
    () => {
      throw new Error("a fault");
    },
    () => 1,
    () => 8000,
    () => NaN,
    () => 0.5,
    () => -512,
    () => -0.5,
    () => LATER,
    () => 2 ** 40,
  ];
  for (const method of bad) {
    on["lookup"] = method;
    t.equal((await wire.ask(message(LOOKUP, text("a")))).error, -EIO);
  }
  t.equal(wire.warnings.length, bad.length);
  on["read"] = () => 101;
  t.equal((await wire.ask(read(2))).error, -EIO, "more than was asked for");
  on["lookup"] = () => -ENOENT;
  t.equal((await wire.ask(message(LOOKUP, text("a")))).error, -ENOENT);
});

t.test("an answer may come later, once", async (t) => {
  await using wire = new Wire();
  const laters: Later[] = [];
  wire.fileSystem.on["read"] = (q) => {
    laters.push(q.later());
    return LATER;
  };
  const resent = RESENT | 10n;
  wire.send(message(READ, BODIES["READ"]?.[1], { unique: resent }));
  wire.send(read(12));
  t.same(await wire.settled(), []);
  const [first, second] = laters as [Later, Later];
  t.equal(second.finish(-ENOENT), true);
  t.equal(first.finish(Buffer.from("late")), true);
  t.equal(first.finish(0), false, "not twice");
  const answers = await wire.settled();
  t.same(
    answers.map(({ error, unique, payload }) => [error, unique, payload.toString()]),
    [
      [-ENOENT, 12n, ""],
      [0, resent, "late"],
    ],
    "and a resent request is answered with its mark",
  );
  t.equal(first.unique, 10);
  t.equal(wire.fileSystem.done.includes("10"), false, "whoever answers later knows when");
});

t.test("a method that promised an answer and gave one is answered once", async (t) => {
  await using wire = new Wire();
  let later: Later | undefined;
  wire.fileSystem.on["read"] = (q, r) => {
    later = q.later();
    return r.copy(Buffer.from("now"));
  };
  t.equal((await wire.ask(read(2))).payload.toString(), "now");
  t.equal(later?.finish(0), false);
  t.same(await wire.settled(), []);
});

t.test("a resent request says so", async (t) => {
  await using wire = new Wire();
  const seen: unknown[] = [];
  wire.fileSystem.on["unlink"] = (q) => {
    seen.push(q.isResent, q.unique);
    return 0;
  };
  t.equal((await wire.ask(message(10, text("a"), { unique: RESENT | 6n }))).unique, RESENT | 6n);
  await wire.ask(message(10, text("a"), { unique: 8 }));
  t.same(seen, [true, 6, false, 8]);
});

t.test("an interrupt reaches what is answered later: its own way of stopping, or EINTR", async (t) => {
  await using wire = new Wire();
  const laters: Later[] = [];
  let interrupts = 0;
  wire.fileSystem.on["read"] = (q) => {
    const later: Later =
      q.unique === 10 ? q.later(() => void (interrupts++, later.finish(Buffer.from("so far")))) : q.later();
    laters.push(later);
    return LATER;
  };
  wire.fileSystem.on["unlink"] = (q) => {
    laters.push(q.later());
    return LATER;
  };
  wire.send(read(10));
  wire.send(read(12));
  wire.send(message(10, text("a"), { unique: 14 }));
  t.same(await wire.settled(), []);
  for (const unique of [10n, 10n, 12n, RESENT | 14n, 99n]) wire.send(interrupt(unique));
  t.same(
    (await wire.settled()).map(({ error, unique, payload }) => [error, unique, payload.toString()]),
    [
      [0, 10n, "so far"],
      [-EINTR, 12n, ""],
    ],
    "UNLINK goes on: it cannot be said to have done nothing",
  );
  t.equal(interrupts, 1);
  t.equal(laters[1]?.finish(0), false, "its answer is dropped");
  t.equal(laters[2]?.finish(0), true);
});

t.test("an interrupt of a request that waits is EINTR where that loses nothing", async (t) => {
  await using wire = new Wire();
  // All of these are there before the session's thread looks.
  wire.send(read(10, 1));
  wire.send(message(10, text("a"), { unique: 12, uid: 2 }));
  wire.send(interrupt(10));
  wire.send(interrupt(12));
  const answers = await wire.settled();
  t.same(
    answers.map(({ error, unique }) => [error, unique]),
    [
      [-EINTR, 10n],
      [0, 12n],
    ],
  );
  t.same(wire.fileSystem.asked, ["unlink"]);
});

t.test("an interrupt that comes with its request reaches it when it is answered later", async (t) => {
  await using wire = new Wire();
  let interrupted = false;
  wire.fileSystem.on["setxattr"] = (q) => {
    const later: Later = q.later(() => {
      interrupted = true;
      later.finish(-EINTR);
    });
    return LATER;
  };
  wire.send(message(21, BODIES["SETXATTR"]?.[1], { unique: 10 }));
  wire.send(interrupt(10));
  t.same(
    (await wire.settled()).map(({ error, unique }) => [error, unique]),
    [[-EINTR, 10n]],
  );
  t.equal(interrupted, true);
});

t.test("when a connection is over the file system is told and nothing is sent any more", async (t) => {
  const fileSystem = new Scripted();
  let later: Later | undefined;
  fileSystem.on["read"] = (q) => {
    later = q.later();
    return LATER;
  };
  const wire = new Wire({ fileSystem });
  wire.send(read(2));
  await wire.settled();
  await wire[Symbol.asyncDispose]();
  t.same(fileSystem.over, [wire.session]);
  t.equal(later?.finish(0), false);
  await wire.session.end();
  t.equal(fileSystem.over.length, 1, "once");
});

t.test("each request and each reply is one line, without what files hold", async (t) => {
  await using wire = new Wire();
  await wire.ask(message(10, text("two\nlines"), { unique: 4, node: 6 }));
  await wire.ask(message(16, BODIES["WRITE"]?.[1], { unique: RESENT | 8n }));
  await wire.ask(message(LOOKUP, Buffer.from("x")));
  await wire.ask(message(34));
  t.same(wire.lines, [
    '-> UNLINK 4 node 6 uid 1000 gid 1000 pid 77 "two\\nlines"',
    "<- 4 nothing 0 bytes",
    "-> WRITE 8 (again) node 1 uid 1000 gid 1000 pid 77 handle 9 5 bytes at 4096",
    "<- 8 (again) write 8 bytes",
    "-> LOOKUP 2 node 1 uid 1000 gid 1000 pid 77 malformed: EINVAL",
    "<- 2 EINVAL",
    "-> ACCESS 2 node 1 uid 1000 gid 1000 pid 77",
    "<- 2 ENOSYS",
  ]);
});
