import { Worker } from "node:worker_threads";
import fc from "fast-check";
import t from "tap";
import { type Fd, monotonicMillis, writeInPool } from "../../../../native/index.ts";
import { Turns } from "../../../../services/fuse/kernel/turns.ts";
import { answerOf, message, Scripted, text, Wire } from "./wire.ts";

const UNLINK = 10;
const unlink = (unique: number, uid: number): Buffer => message(UNLINK, text("a"), { unique, uid });

/** A file system that keeps who was served, in order. */
function ordered(): { fileSystem: Scripted; order: string[] } {
  const fileSystem = new Scripted();
  const order: string[] = [];
  fileSystem.on["unlink"] = (q) => {
    order.push(`${String(q.connection.id)}:${String(q.uid)}:${String(q.unique)}`);
    return 0;
  };
  return { fileSystem, order };
}

t.test("of what waits, every uid has one request in each round", async (t) => {
  const { fileSystem, order } = ordered();
  await using wire = new Wire({ fileSystem });
  for (let unique = 2; unique <= 10; unique += 2) wire.send(unlink(unique, 1));
  wire.send(unlink(12, 2));
  wire.send(unlink(14, 2));
  wire.send(unlink(16, 3));
  await wire.settled();
  t.same(order, ["1:1:2", "1:2:12", "1:3:16", "1:1:4", "1:2:14", "1:1:6", "1:1:8", "1:1:10"]);
});

t.test("so has every connection, whatever their uids are", async (t) => {
  const { fileSystem, order } = ordered();
  using turns = new Turns();
  await using one = new Wire({ id: 1, turns, fileSystem });
  await using two = new Wire({ id: 2, turns, fileSystem });
  for (let unique = 2; unique <= 10; unique += 2) one.send(unlink(unique, 1));
  two.send(unlink(2, 1));
  two.send(unlink(4, 1));
  await one.settled();
  await two.settled();
  const place = (who: string): number => order.indexOf(who);
  t.equal(order.length, 7);
  t.ok(place("2:1:2") < place("1:1:4"), "the second one's first request is served before the first one's second");
  t.ok(place("2:1:4") < place("1:1:6"));
});

t.test("each requester's own requests are served in the order they came, all of them, once", async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 8 }), async (uids) => {
      const { fileSystem, order } = ordered();
      await using wire = new Wire({ fileSystem });
      uids.forEach((uid, index) => {
        wire.send(unlink(2 + index * 2, uid));
      });
      const answers = await wire.settled();
      t.equal(answers.length, uids.length);
      for (const uid of [1, 2, 3]) {
        const expected = uids.flatMap((of, index) => (of === uid ? [`1:${String(uid)}:${String(2 + index * 2)}`] : []));
        t.same(
          order.filter((line) => line.startsWith(`1:${String(uid)}:`)),
          expected,
        );
      }
    }),
    { numRuns: 100 },
  );
});

t.test("a request that comes after a long silence is served", async (t) => {
  await using wire = new Wire();
  for (let round = 0; round < 5; round++) {
    t.equal((await wire.ask(message(5))).payload.toString(), "target");
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
});

t.test("many connections of one thread are all served", async (t) => {
  using turns = new Turns();
  const wires = Array.from({ length: 50 }, (_, index) => new Wire({ id: index + 1, turns }));
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all(wires.map((wire) => wire.ask(message(5))));
    t.ok(answers.every(({ payload }) => payload.toString() === "target"));
  }
  for (const wire of wires) await wire[Symbol.asyncDispose]();
});

t.test("a session that is removed is served no more, and its descriptor stays", async (t) => {
  await using wire = new Wire();
  await wire.ask(message(5));
  wire.turns.remove(wire.session);
  wire.turns.remove(wire.session);
  wire.send(message(5));
  await new Promise((resolve) => setTimeout(resolve, 30));
  t.equal(wire.session.hasEnded, false);
  t.same(wire.fileSystem.over, []);
  wire.turns.add(wire.session);
  t.equal(answerOf((await wire.next()) ?? Buffer.alloc(0)).payload.toString(), "target");
  t.throws(() => {
    wire.turns.add(wire.session);
  });
});

t.test("a method may remove its own session: its request is answered, and nothing more is read", async (t) => {
  await using wire = new Wire();
  wire.fileSystem.on["readlink"] = (_, r) => {
    wire.turns.remove(wire.session);
    return r.copy(Buffer.from("last"));
  };
  wire.send(message(5));
  wire.send(message(5, undefined, { unique: 4 }));
  t.equal(answerOf((await wire.next()) ?? Buffer.alloc(0)).payload.toString(), "last");
  await new Promise((resolve) => setTimeout(resolve, 30));
  t.same(wire.fileSystem.asked, ["readlink"]);
});

t.test("timers and libuv's pool have their turn while requests never stop coming", async (t) => {
  await using wire = new Wire();
  // Slow enough that the client is always ahead.
  wire.fileSystem.on["unlink"] = () => {
    const until = monotonicMillis() + 0.3;
    while (monotonicMillis() < until);
    return 0;
  };
  const client = new Worker(
    `const { workerData, parentPort } = require("node:worker_threads");
     import(workerData.native).then(({ send, receive }) => {
       const room = Buffer.alloc(4096);
       const request = Buffer.from(workerData.request);
       let stop = false;
       let sent = 0, got = 0;
       parentPort.on("message", () => { stop = true; });
       const step = () => {
         for (let i = 0; i < 50; i++) {
           while (sent - got < 8 && !stop) { if (send(workerData.fd, request) === undefined) break; sent++; }
           while (receive(workerData.fd, room) !== undefined) got++;
         }
         if (stop && sent === got) { parentPort.postMessage(got); parentPort.close(); } else setImmediate(step);
       };
       step();
     });`,
    {
      eval: true,
      workerData: {
        native: new URL("../../../../native/index.ts", import.meta.url).href,
        fd: wire.kernel,
        request: unlink(2, 1),
      },
    },
  );
  while (wire.fileSystem.asked.length < 20) await new Promise((resolve) => setTimeout(resolve, 1));
  let ticks = 0;
  const begin = monotonicMillis();
  while (monotonicMillis() - begin < 200) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    ticks++;
  }
  t.ok(ticks > 20, `${String(ticks)} timers in 200 ms`);
  const asked = wire.fileSystem.asked.length;
  // An error on purpose: what counts is that the pool's answer comes through.
  t.ok((await writeInPool(1_000_000 as Fd, Buffer.from("x"))) < 0);
  t.ok(asked > 100, `${String(asked)} requests were served meanwhile`);
  const served = new Promise((resolve) => client.once("message", resolve));
  client.postMessage("stop");
  t.ok(Number(await served) > 100);
  await client.terminate();
});
