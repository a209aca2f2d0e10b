import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, statSync, fstatSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import t from "tap";
import {
  accept,
  bind,
  close,
  closeElsewhere,
  connect,
  listen,
  mayCarryDescriptors,
  monotonicMillis,
  openBeneath,
  peek,
  Readiness,
  receive,
  receiveDescriptor,
  refuseDescriptors,
  send,
  sendDescriptor,
  shutdownWrite,
  socketPair,
  unixSocket,
  type Fd,
} from "../../native/index.ts";
import { descriptorFlags, openDescriptors, temporaryFolder } from "./child.ts";

const CLOEXEC = 0o2000000;
const NONBLOCK = 0o4000;
const folder = temporaryFolder(t);
const buffer = new Uint8Array(64);
const closed = 999_999 as Fd;

function received(fd: Fd): string | undefined {
  const length = receive(fd, buffer);
  return length === undefined ? undefined : Buffer.from(buffer.subarray(0, length)).toString();
}

function withPair(use: (here: Fd, there: Fd) => void, type: "stream" | "datagram" = "stream"): void {
  const [here, there] = socketPair(type);
  try {
    use(here, there);
  } finally {
    close(here);
    close(there);
  }
}

/** A listening socket; the caller closes it. */
function listening(name: string | Uint8Array, backlog = 8): Fd {
  const fd = unixSocket("stream");
  bind(fd, name);
  listen(fd, backlog);
  return fd;
}

/** Runs Python on a socket of ours, which it calls `s`: it can do with one what the addon never does. */
function python(code: string, socket: Fd): void {
  const { status, stderr } = spawnSync(
    "python3",
    ["-c", `import array, socket\ns = socket.socket(fileno=3)\n${code}`],
    {
      env: { PATH: process.env["PATH"] },
      stdio: ["ignore", "inherit", "pipe", socket],
    },
  );
  if (status !== 0) throw new Error(stderr.toString());
}

t.test("every socket is non-blocking and close-on-exec from the start", (t) => {
  const listener = listening(path.join(folder, "flags.sock"));
  const client = unixSocket("stream");
  connect(client, path.join(folder, "flags.sock"));
  const sockets = [
    listener,
    client,
    accept(listener),
    unixSocket("datagram"),
    ...socketPair("stream"),
    ...socketPair("datagram"),
  ];
  for (const fd of sockets) {
    t.equal(descriptorFlags(fd as Fd) & (CLOEXEC | NONBLOCK), CLOEXEC | NONBLOCK);
    close(fd as Fd);
  }
  t.end();
});

t.test("a stream carries bytes both ways, and its end", (t) => {
  const address = path.join(folder, "stream.sock");
  const listener = listening(address);
  t.equal(accept(listener), undefined, "no connection waits");
  const client = unixSocket("stream");
  connect(client, address);
  const server = accept(listener) as Fd;
  t.equal(accept(listener), undefined);
  t.equal(received(server), undefined, "nothing yet");
  t.equal(send(client, Buffer.from("question")), 8);
  t.equal(received(server), "question");
  t.equal(send(server, Buffer.from("an answer, not all of it"), 3, 6), 6);
  t.equal(received(client), "answer");
  t.equal(send(client, Buffer.from("...")), 3);
  shutdownWrite(client);
  t.equal(receive(server, buffer, 62, 1), 1);
  t.equal(buffer[62], ".".charCodeAt(0));
  t.equal(received(server), "..");
  t.equal(received(server), "", "the end");
  for (const fd of [listener, client, server]) close(fd);
  t.end();
});

t.test("a full socket takes what fits, then nothing; a closed one is EPIPE or ECONNRESET", (t) => {
  withPair((here, there) => {
    const much = new Uint8Array(1 << 20);
    const first = send(here, much) ?? 0;
    t.ok(first > 0 && first < much.length);
    for (let tries = 0; send(here, much) !== undefined; tries++) if (tries > 100) throw new Error("it never fills");
    t.equal(send(here, much), undefined);
    t.ok(receive(there, new Uint8Array(1 << 20)));
  });
  const [here, there] = socketPair("stream");
  send(there, Buffer.from("unread"));
  send(here, Buffer.from("unread"));
  close(there);
  t.equal(received(here), "unread");
  t.throws(() => received(here), { code: "ECONNRESET", syscall: "recvmsg" });
  t.throws(() => send(here, Buffer.from("x")), { code: "EPIPE", syscall: "sendmsg" });
  t.throws(() => sendDescriptor(here, Buffer.from("x"), here), { code: "EPIPE" });
  close(here);
  t.end();
});

t.test("datagrams keep their bounds", (t) => {
  const address = path.join(folder, "datagram.sock");
  const server = unixSocket("datagram");
  bind(server, address);
  const client = unixSocket("datagram");
  connect(client, address);
  send(client, Buffer.from("one"));
  send(client, Buffer.from("two"));
  t.equal(received(server), "one");
  t.equal(received(server), "two");
  t.equal(received(server), undefined);
  t.throws(() => send(client, new Uint8Array(1 << 24)), { code: "EMSGSIZE" });
  close(client);
  close(server);
  t.end();
});

t.test("an address is 1 to 107 bytes, any of them, and never abstract", (t) => {
  const longest = path.join(folder, "l".repeat(107 - folder.length - 1));
  for (const address of [longest, Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0x01, 0xfe])])]) {
    const listener = listening(address);
    const client = unixSocket("stream");
    connect(client, address);
    t.type(accept(listener), "number");
    close(client);
    close(listener);
  }
  t.ok(statSync(longest).isSocket());
  t.ok(readdirSync(folder, "buffer").some((name) => name.equals(Buffer.from([0xff, 0x01, 0xfe]))));
  const fd = unixSocket("stream");
  for (const operation of [bind, connect]) {
    t.throws(
      () => {
        operation(fd, `${longest}x`);
      },
      { code: "ENAMETOOLONG" },
    );
    t.throws(
      () => {
        operation(fd, "");
      },
      { code: "EINVAL" },
    );
    t.throws(
      () => {
        operation(fd, "\0abstract");
      },
      { code: "EINVAL" },
    );
    t.throws(
      () => {
        operation(closed, longest);
      },
      { code: "EBADF" },
    );
  }
  close(fd);
  t.end();
});

t.test("bind, listen, connect and accept say why they cannot", async (t) => {
  const address = path.join(folder, "errors.sock");
  const fd = unixSocket("stream");
  t.throws(
    () => {
      listen(fd, 1);
    },
    { code: "EINVAL", syscall: "listen" },
    "it has no address",
  );
  t.throws(() => accept(fd), { code: "EINVAL", syscall: "accept4" }, "it does not listen");
  t.doesNotThrow(() => {
    shutdownWrite(unixSocket("stream"));
  }, "Linux takes it from an unconnected Unix socket");
  t.throws(
    () => {
      connect(fd, address);
    },
    { code: "ENOENT", syscall: "connect" },
  );
  bind(fd, address);
  t.throws(
    () => {
      bind(unixSocket("stream"), address);
    },
    { code: "EADDRINUSE", syscall: "bind" },
  );
  t.throws(
    () => {
      connect(unixSocket("stream"), address);
    },
    { code: "ECONNREFUSED" },
  );
  listen(fd, 0);
  connect(unixSocket("stream"), address);
  const late = unixSocket("stream");
  t.throws(
    () => {
      connect(late, address);
    },
    { code: "EAGAIN" },
    "the backlog is full",
  );
  t.type(accept(fd), "number");
  connect(late, address);
  using readiness = new Readiness(fd);
  t.equal(await readiness.readable(monotonicMillis() + 1000), "ready");
  t.type(accept(fd), "number");
  t.throws(() => accept(closed), { code: "EBADF" });
  for (const operation of [shutdownWrite, listen]) {
    t.throws(
      () => {
        operation(closed, 1);
      },
      { code: "EBADF" },
    );
  }
});

t.test("a net.Socket of Node takes over an accepted connection", async (t) => {
  const address = path.join(folder, "node.sock");
  const listener = listening(address);
  const client = net.connect(address);
  await once(client, "connect");
  const socket = new net.Socket({ fd: accept(listener) as Fd });
  socket.end("from the other end");
  t.equal(await text(client), "from the other end");
  close(listener);
});

t.test("to receive without room is EINVAL, since 0 would mean the end", (t) => {
  withPair((here, there) => {
    send(there, Buffer.from("x"));
    t.throws(() => receive(here, buffer, 3, 0), { code: "EINVAL" });
    t.throws(() => receive(here, new Uint8Array(0)), { code: "EINVAL" });
    t.throws(() => receiveDescriptor(here, new Uint8Array(0)), { code: "EINVAL" });
    t.throws(() => sendDescriptor(here, new Uint8Array(0), here), { code: "EINVAL" });
    t.equal(received(here), "x");
  });
  t.end();
});

t.test("descriptors thrown at `receive` are dropped and never opened here", (t) => {
  withPair((here, there) => {
    const [near, far] = socketPair("stream");
    send(near, Buffer.from("last words"));
    const before = openDescriptors();
    for (let round = 0; round < 200; round++) {
      sendDescriptor(there, Buffer.from("thrown"), far);
      t.equal(received(here), "thrown");
    }
    t.strictSame(openDescriptors(), before);
    sendDescriptor(there, Buffer.from("thrown"), near);
    close(near);
    t.equal(received(far), "last words");
    t.equal(received(far), undefined, "the one in flight still holds it open");
    t.equal(received(here), "thrown");
    t.equal(received(far), "", "dropped, and with it the last holder");
    close(far);
  });
  t.end();
});

t.test("one descriptor arrives with its bytes, close-on-exec, as the same open file", (t) => {
  withPair((here, there) => {
    const file = openSync(import.meta.filename, "r") as Fd;
    t.equal(sendDescriptor(there, Buffer.from("take this"), file), 9);
    const outcome = receiveDescriptor(here, buffer);
    if (outcome.kind !== "received") throw new Error(outcome.kind);
    t.equal(outcome.length, 9);
    t.not(outcome.descriptor, file);
    t.equal(fstatSync(outcome.descriptor).ino, fstatSync(file).ino);
    t.equal(descriptorFlags(outcome.descriptor) & CLOEXEC, CLOEXEC);
    close(outcome.descriptor);
    closeSync(file);
  });
  t.end();
});

t.test("without a descriptor the bytes are bare, then there is nothing, then the end", (t) => {
  const [here, there] = socketPair("stream");
  send(there, Buffer.from("bare"));
  t.strictSame(receiveDescriptor(here, buffer), { kind: "bare", length: 4 });
  t.strictSame(receiveDescriptor(here, buffer), { kind: "nothing yet" });
  close(there);
  t.strictSame(receiveDescriptor(here, buffer), { kind: "end" });
  close(here);
  t.throws(() => receiveDescriptor(closed, buffer), { code: "EBADF", syscall: "recvmsg" });
  t.end();
});

t.test("a descriptor that is not open, or of no kind that can travel, is not sent", (t) => {
  withPair((here, there) => {
    t.throws(() => sendDescriptor(there, Buffer.from("x"), closed), { code: "EBADF", syscall: "sendmsg" });
    t.throws(() => sendDescriptor(there, Buffer.from("x"), -1 as Fd), { code: "EBADF" });
    t.throws(() => sendDescriptor(closed, Buffer.from("x"), here), { code: "EBADF" });
    const much = new Uint8Array(1 << 20);
    while (send(there, much) !== undefined);
    t.equal(sendDescriptor(there, Buffer.from("x"), here), undefined, "a full socket");
  });
  t.end();
});

t.test("descriptors beside the one expected are closed and called surplus", (t) => {
  const [here, there] = socketPair("stream");
  const before = openDescriptors();
  for (const count of [2, 3, 250]) {
    python(`socket.send_fds(s, [b"many"], [0] * ${String(count)})`, there);
    t.strictSame(receiveDescriptor(here, buffer), { kind: "surplus", length: 4 }, `${String(count)} descriptors`);
    t.strictSame(openDescriptors(), before);
  }
  python(
    `rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0]))
s.sendmsg([b"two messages"], [rights, rights])`,
    there,
  );
  t.strictSame(receiveDescriptor(here, buffer), { kind: "surplus", length: 12 });
  t.strictSame(openDescriptors(), before);
  close(here);
  close(there);
  t.end();
});

t.test("credentials and a pidfd are surplus, and never taken for the descriptor", (t) => {
  for (const [name, option] of Object.entries({ SO_PASSCRED: 16, SO_PASSPIDFD: 76 })) {
    const [here, there] = socketPair("stream");
    const before = openDescriptors();
    python(`s.setsockopt(socket.SOL_SOCKET, ${String(option)}, 1)`, here);
    send(there, Buffer.from("bytes"));
    t.strictSame(receiveDescriptor(here, buffer), { kind: "surplus", length: 5 }, name);
    sendDescriptor(there, Buffer.from("bytes"), there);
    t.strictSame(receiveDescriptor(here, buffer), { kind: "surplus", length: 5 }, `${name} and a descriptor`);
    t.strictSame(openDescriptors(), before, `${name} leaves nothing open`);
    close(here);
    close(there);
  }
  t.end();
});

t.test("a descriptor received out of a directory reaches nothing above it", (t) => {
  withPair((here, there) => {
    const directory = openSync(folder, "r") as Fd;
    sendDescriptor(there, Buffer.from("d"), directory);
    const outcome = receiveDescriptor(here, buffer);
    if (outcome.kind !== "received") throw new Error(outcome.kind);
    t.throws(() => openBeneath(outcome.descriptor, "..", 0), { code: "EXDEV" });
    close(outcome.descriptor);
    closeSync(directory);
  });
  t.end();
});

t.test("a socket that refuses descriptors, and what is accepted from it, gets none", (t) => {
  const [here, there] = socketPair("stream");
  const file = openSync("/dev/null", "r") as Fd;
  t.equal(mayCarryDescriptors(here), true, "as every socket at first");
  if (refuseDescriptors(here)) {
    t.equal(mayCarryDescriptors(here), false);
    t.equal(mayCarryDescriptors(there), true, "the other end is its own");
    t.throws(() => sendDescriptor(there, Uint8Array.of(1), file), { code: "EPERM" });
    t.equal(receive(here, new Uint8Array(1)), undefined, "nothing came");
  } else {
    t.comment("this kernel has no SO_PASSRIGHTS (Linux 6.16)");
  }
  t.throws(() => refuseDescriptors(file), { code: "ENOTSOCK" });
  t.throws(() => mayCarryDescriptors(file), { code: "ENOTSOCK" });
  for (const fd of [here, there, file]) close(fd);
  t.end();
});

t.test("a look at the next bytes takes none of them, stops at a descriptor and drops none", (t) => {
  const [here, there] = socketPair("stream");
  const bytes = new Uint8Array(8);
  t.equal(peek(here, bytes, 0, 8), undefined);
  send(there, Uint8Array.of(1, 2, 3));
  sendDescriptor(there, Uint8Array.of(4), here);
  send(there, Uint8Array.of(5));
  t.match(peek(here, bytes, 1, 3), { length: 3 });
  t.same([...bytes], [0, 1, 2, 3, 0, 0, 0, 0]);
  t.same(peek(here, bytes, 0, 8), { length: 4, attached: true });
  t.equal(receive(here, bytes, 0, 3), 3);
  const got = receiveDescriptor(here, bytes);
  t.match(got, { kind: "received", length: 1 });
  if (got.kind === "received") close(got.descriptor);
  close(there);
  t.same(peek(here, bytes, 0, 8), { length: 1, attached: false });
  t.equal(receive(here, bytes), 1);
  t.same(peek(here, bytes, 0, 8), { length: 0, attached: false }, "the end");
  t.throws(() => peek(here, bytes, 0, 0), { code: "EINVAL" });
  close(here);
  t.throws(() => peek(999_999 as Fd, bytes, 0, 1), { code: "EBADF" });
  t.end();
});

t.test("a thread of its own closes a descriptor, and the one it answers tells when", async (t) => {
  const [here, there] = socketPair("stream");
  const done = closeElsewhere(here);
  {
    using readiness = new Readiness(done);
    t.equal(await readiness.readable(monotonicMillis() + 60_000), "ready");
  }
  close(done);
  t.throws(
    () => {
      close(here);
    },
    { code: "EBADF" },
  );
  t.equal(receive(there, new Uint8Array(1)), 0, "the other end sees it closed");
  close(there);
  t.throws(() => closeElsewhere(999_999 as Fd), { code: "EBADF", syscall: "close" });
});
