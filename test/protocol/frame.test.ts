import t from "tap";
import {
  close,
  monotonicMillis,
  receive,
  send,
  sendDescriptor,
  shutdownWrite,
  socketPair,
  type Fd,
} from "../../native/index.ts";
import { Connection } from "../../protocol/connection.ts";
import { encodeFrame, readFrame, writeFrame, type FrameLimits } from "../../protocol/frame.ts";

const limits: FrameLimits = { maxPayload: 64, frameMillis: 200, maxDepth: 1 };
const soon = (): number => monotonicMillis() + 50;

/** A connection and the raw other end of it. */
function pair(trusted = false): { near: Connection; far: Fd } {
  const [near, far] = socketPair("stream");
  return { near: new Connection(near, { trusted }), far };
}

function header(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
}

t.test("a frame is a big-endian length and its payload, read exactly", async (t) => {
  const { near, far } = pair();
  const frame = encodeFrame({ a: "\u00e9" }, limits);
  t.equal(Buffer.from(frame).toString("latin1"), '\0\0\0\x0a{"a":"\u00c3\u00a9"}');
  send(far, Buffer.concat([frame, Buffer.from("stream")]));
  t.equal(Buffer.from((await readFrame(near, limits, soon())) as Uint8Array).toString(), '{"a":"\u00e9"}');
  const rest = Buffer.alloc(16);
  t.equal(receive(near.fd, rest), 6, "what follows the frame is still in the socket");
  near[Symbol.dispose]();
  close(far);
});

t.test("a payload has 1 byte to the limit; other lengths are refused before the payload is read", async (t) => {
  for (const length of [1, 63, 64]) {
    const { near, far } = pair();
    send(far, Buffer.concat([header(length), Buffer.alloc(length, 0x20)]));
    t.equal((await readFrame(near, limits, soon())).length, length);
    near[Symbol.dispose]();
    close(far);
  }
  for (const length of [0, 65, 2 ** 31, 2 ** 32 - 1]) {
    const { near, far } = pair();
    send(far, header(length));
    await t.rejects(readFrame(near, limits, soon()), { name: "Fault", kind: "frame limit" }, String(length));
    near[Symbol.dispose]();
    close(far);
  }
  t.throws(() => encodeFrame({ a: "x".repeat(64) }, limits), RangeError);
});

t.test("the stream may end between frames and not inside one", async (t) => {
  const frame = encodeFrame({ a: 1 }, limits);
  for (let sent = 0; sent < frame.length; sent++) {
    const { near, far } = pair();
    if (sent > 0) send(far, frame.subarray(0, sent));
    shutdownWrite(far);
    if (sent === 0) t.equal(await readFrame(near, limits, soon()), "end");
    else await t.rejects(readFrame(near, limits, soon()), { name: "Fault", kind: "partial" }, `${String(sent)} bytes`);
    near[Symbol.dispose]();
    close(far);
  }
});

t.test(
  "a first byte that does not come in time is a fault, and so is a frame not whole in time after it",
  async (t) => {
    const { near, far } = pair();
    await t.rejects(readFrame(near, limits, soon()), { kind: "deadline", message: /began/u });
    const frame = encodeFrame({ a: 1 }, limits);
    send(far, frame.subarray(0, 1));
    const late = readFrame(near, limits, Infinity);
    const drip = setInterval(() => send(far, Buffer.from([0])), 80);
    await t.rejects(late, { kind: "deadline", message: /longer than 200 ms/u });
    clearInterval(drip);
    near[Symbol.dispose]();
    close(far);
  },
);

t.test("a frame in two parts is whole when the second comes in time", async (t) => {
  const frame = encodeFrame({ a: 1 }, limits);
  for (let cut = 1; cut < frame.length; cut++) {
    const { near, far } = pair(cut % 2 === 0);
    const whole = readFrame(near, limits, Infinity);
    send(far, frame.subarray(0, cut));
    // Between two of them the event loop has looked at the socket.
    for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
    send(far, frame.subarray(cut));
    t.equal((await whole).length, frame.length - 4, `cut at ${String(cut)}`);
    near[Symbol.dispose]();
    close(far);
  }
});

t.test("a peer that does not read is given up after the frame's time, one that is gone at once", async (t) => {
  const { near, far } = pair();
  const large: FrameLimits = { maxPayload: 1 << 20, frameMillis: 200, maxDepth: 1 };
  t.equal(await writeFrame(near, { a: "x".repeat(1 << 19) }, large), "timeout");
  close(far);
  t.equal(await writeFrame(near, { a: 1 }, large), "end");
  near[Symbol.dispose]();
});

t.test("a large frame passes a slow reader whole", async (t) => {
  const { near, far } = pair();
  const large: FrameLimits = { maxPayload: 1 << 20, frameMillis: 10_000, maxDepth: 1 };
  const there = new Connection(far);
  const text = "0123456789".repeat(50_000);
  const [outcome, payload] = await Promise.all([writeFrame(near, { text }, large), readFrame(there, large, Infinity)]);
  t.equal(outcome, "written");
  t.same(JSON.parse(Buffer.from(payload as Uint8Array).toString()), { text });
  near[Symbol.dispose]();
  there[Symbol.dispose]();
});

t.test("a connection that is disposed while it waits ends the reader, and a reset ends it too", async (t) => {
  const { near, far } = pair();
  const waiting = readFrame(near, limits, Infinity);
  near[Symbol.dispose]();
  t.equal(await waiting, "end");
  t.equal(await readFrame(near, limits, Infinity), "end", "and whoever comes later");
  t.equal(await writeFrame(near, { a: 1 }, limits), "closed");
  close(far);

  const other = pair();
  send(other.near.fd, Buffer.from("unread"));
  close(other.far);
  t.equal(await readFrame(other.near, limits, soon()), "end", "unread bytes make the close a reset");
  other.near[Symbol.dispose]();
});

t.test("a released connection leaves its descriptor open and its bytes unread", async (t) => {
  const { near, far } = pair();
  send(far, Buffer.concat([encodeFrame({ a: 1 }, limits), Buffer.from("abc")]));
  await readFrame(near, limits, soon());
  const fd = near.release();
  near[Symbol.dispose]();
  const rest = Buffer.alloc(8);
  t.equal(receive(fd, rest), 3);
  close(fd);
  close(far);
});

t.test("a descriptor that cannot be waited on is closed again and says so", (t) => {
  t.throws(() => new Connection(-1 as Fd));
  t.end();
});

t.test("a descriptor that comes with a frame is a fault, unless the peer is trusted", async (t) => {
  for (const trusted of [false, true]) {
    const [a, b] = socketPair("stream");
    using near = new Connection(a, { trusted });
    sendDescriptor(b, encodeFrame({ a: 1 }, limits), b);
    if (trusted) t.type(await readFrame(near, limits, soon()), Uint8Array);
    else await t.rejects(readFrame(near, limits, soon()), { kind: "malformed", message: /attached/u });
    close(b);
  }
});

t.test("an untrusted connection is closed when its disposal has ended", async (t) => {
  const [a, b] = socketPair("stream");
  const near = new Connection(a);
  await near[Symbol.asyncDispose]();
  await near[Symbol.asyncDispose]();
  t.throws(
    () => {
      close(a);
    },
    { code: "EBADF" },
  );
  t.equal(receive(b, Buffer.alloc(1)), 0);
  close(b);
});
