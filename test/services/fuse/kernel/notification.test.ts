import os from "node:os";
import t from "tap";
import { close, type Fd, receive, send, socketPair } from "../../../../native/index.ts";
import { Notifications, QUEUE_ROOM } from "../../../../services/fuse/kernel/notification.ts";
import { u32, u64, Wire } from "./wire.ts";

const { EBADF } = os.constants.errno;
const INVAL_INODE = 2;
const INVAL_ENTRY = 3;
const RESEND = 7;
const room = Buffer.alloc(4096);

/** The next message, or undefined when none came for a while. */
async function next(fd: Fd, patience = 100): Promise<Buffer | undefined> {
  for (let left = patience; left > 0; left--) {
    const length = receive(fd, room);
    if (length !== undefined) return Buffer.from(room.subarray(0, length));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return undefined;
}

async function all(fd: Fd): Promise<Buffer[]> {
  const messages: Buffer[] = [];
  for (let bytes = await next(fd); bytes !== undefined; bytes = await next(fd, 30)) messages.push(bytes);
  return messages;
}

const inode = (node: number): Buffer => Buffer.concat([u32(40, INVAL_INODE), u64(0, node, 0, 0)]);
const entry = (node: number, name: string): Buffer =>
  Buffer.concat([
    u32(32 + Buffer.byteLength(name) + 1, INVAL_ENTRY),
    u64(0, node),
    u32(Buffer.byteLength(name), 0),
    Buffer.from(`${name}\0`),
  ]);

t.test("a notification is what <linux/fuse.h> says", async (t) => {
  await using wire = new Wire();
  wire.session.invalidate(2 ** 40 + 1);
  wire.session.invalidate(7, Buffer.from("näme"));
  t.equal(wire.session.resend(), true);
  t.same(await all(wire.kernel), [
    inode(2 ** 40 + 1),
    inode(7),
    entry(7, "näme"),
    Buffer.concat([u32(16, RESEND), u64(0)]), //
  ]);
  t.equal(wire.session.isUncached, false);
});

t.test("a kernel that cannot send again is not asked to, and one without an agreement is told nothing", async (t) => {
  await using old = new Wire({ agreement: { minor: 39, flags: 0, flags2: 0 } });
  t.equal(old.session.resend(), false);
  await using fresh = new Wire({ agreement: undefined });
  t.equal(fresh.session.resend(), false);
  fresh.session.invalidate(7, Buffer.from("name"));
  t.same(await all(old.kernel), []);
  t.same(await all(fresh.kernel), []);
});

t.test("what waits already is not asked for twice, and what is being written may be", async (t) => {
  const [kernel, fd] = socketPair("datagram");
  const notifications = new Notifications(fd, (errno) => {
    t.fail(`refused with ${String(errno)}`);
  });
  for (let round = 0; round < 5; round++) {
    notifications.invalidate(7, Buffer.from("a"));
    notifications.invalidate(7, Buffer.from("b"));
    notifications.invalidate(8, undefined);
  }
  t.equal(notifications.waiting, 4);
  t.same(await all(kernel), [inode(7), entry(7, "a"), entry(7, "b"), inode(8)]);
  notifications.invalidate(7, undefined);
  t.same(await all(kernel), [inode(7)], "it is new once more");
  await notifications.close();
  close(fd);
  close(kernel);
});

t.test("a queue that is full drops what is new and says so until it is empty", async (t) => {
  const [kernel, fd] = socketPair("datagram");
  const notifications = new Notifications(fd, (errno) => {
    t.fail(`refused with ${String(errno)}`);
  });
  for (let node = 1; node <= QUEUE_ROOM; node++) notifications.invalidate(node, undefined);
  t.equal(notifications.hasOverflowed, false);
  notifications.invalidate(1, undefined);
  t.equal(notifications.hasOverflowed, false, "what waits already needs no room");
  notifications.invalidate(QUEUE_ROOM + 1, undefined);
  t.equal(notifications.hasOverflowed, true);
  t.equal(notifications.waiting, QUEUE_ROOM);
  // The test's socket holds some ten: the first has been read, the last has not been written.
  t.same(await next(kernel), inode(1));
  t.equal(notifications.hasOverflowed, true);
  const rest = await drained(kernel, notifications);
  t.equal(rest.length, QUEUE_ROOM - 1);
  t.same(rest.at(-1), inode(QUEUE_ROOM));
  t.equal(notifications.hasOverflowed, false);
  await notifications.close();
  close(fd);
  close(kernel);
});

async function drained(kernel: Fd, notifications: Notifications): Promise<Buffer[]> {
  const messages: Buffer[] = [];
  for (let bytes = await next(kernel); bytes !== undefined; bytes = await next(kernel, 50)) messages.push(bytes);
  if (notifications.waiting > 0) throw new Error("not all of it came");
  return messages;
}

t.test("a node the kernel does not know is no refusal; anything else is told, and the rest goes on", async (t) => {
  const refusals: number[] = [];
  const nowhere = 1_000_000 as Fd;
  const notifications = new Notifications(nowhere, (errno) => refusals.push(errno));
  notifications.invalidate(1, undefined);
  notifications.invalidate(2, undefined);
  while (refusals.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  t.same(refusals, [EBADF, EBADF]);
  await notifications.close();
});

t.test("after the end nothing is written", async (t) => {
  const [kernel, fd] = socketPair("datagram");
  const notifications = new Notifications(fd, () => {
    t.fail("nothing was written");
  });
  notifications.invalidate(1, undefined);
  await notifications.close();
  notifications.invalidate(2, undefined);
  t.equal(notifications.waiting, 0);
  t.same(await all(kernel), []);
  t.ok(send(kernel, Buffer.from("x")), "and the descriptor is its owner's to close");
  close(fd);
  close(kernel);
});
