import { closeSync, openSync } from "node:fs";
import os from "node:os";
import { Worker } from "node:worker_threads";
import t from "tap";
import { addon, type Slot } from "../../native/addon.ts";
import {
  close,
  monotonicMillis,
  Readiness,
  receive,
  send,
  shutdownWrite,
  socketPair,
  type Fd,
  type WaitOutcome,
} from "../../native/index.ts";
import { descriptorFlags, fixture, run, workerOptions } from "./child.ts";

const { EBADF, EBUSY, ETIMEDOUT } = os.constants.errno;
const READABLE: Slot = 0;
const WRITABLE: Slot = 1;
/** A deadline no test lives to see: a missed event shows as a test that hangs, since a timeout takes a last look. */
const later = (): number => monotonicMillis() + 3_600_000;

function fill(fd: Fd): void {
  const much = new Uint8Array(1 << 16);
  while (send(fd, much) !== undefined);
}

function drain(fd: Fd): void {
  const much = new Uint8Array(1 << 20);
  while (receive(fd, much) !== undefined);
}

async function withPair(use: (here: Fd, there: Fd) => Promise<void>): Promise<void> {
  const [here, there] = socketPair("stream");
  try {
    await use(here, there);
  } finally {
    close(here);
    close(there);
  }
}

/** Both slots wait on `fd`; answers what each callback was told, in order. `react` may act within a callback. */
async function bothSlots(
  fd: Fd,
  wake: () => void,
  react: (handle: Readonly<object>, slot: Slot) => void,
): Promise<[Slot, number][]> {
  const told: [Slot, number][] = [];
  const handle = addon.readinessOpen(fd, (slot, status) => {
    told.push([slot, status]);
    react(handle, slot);
  }) as Readonly<object>;
  addon.readinessStart(handle, READABLE, -1);
  addon.readinessStart(handle, WRITABLE, -1);
  wake();
  await new Promise((resolve) => setTimeout(resolve, 30));
  addon.readinessClose(handle);
  return told;
}

t.test("a reader waits until bytes come, and a writer until there is room", async (t) => {
  await withPair(async (here, there) => {
    using readiness = new Readiness(here);
    t.equal(await readiness.writable(later()), "ready");
    const reading = readiness.readable(later());
    setTimeout(() => send(there, Buffer.from("x")), 20);
    const started = monotonicMillis();
    t.equal(await reading, "ready");
    t.ok(monotonicMillis() - started >= 15);
    t.equal(await readiness.readable(later()), "ready", "as long as they were not read");

    fill(here);
    const writing = readiness.writable(later());
    setTimeout(() => {
      drain(there);
    }, 20);
    t.equal(await writing, "ready");
  });
});

t.test("a deadline passes never early, also one in the past, and the handle waits again afterwards", async (t) => {
  await withPair(async (here, there) => {
    using readiness = new Readiness(here);
    // The loop never sleeps here, so that a timer is seen the moment it is due.
    let spinning = true;
    const spin = (): void => {
      if (spinning) setImmediate(spin);
    };
    spin();
    for (const wait of [0.3, 1, 7.5, 30, ...Array.from({ length: 30 }, (_, index) => 1 + index / 30)]) {
      const deadline = monotonicMillis() + wait;
      t.equal(await readiness.readable(deadline), "timeout");
      t.ok(monotonicMillis() >= deadline, `${String(wait)} ms`);
    }
    spinning = false;
    t.equal(await readiness.readable(monotonicMillis() - 1000), "timeout");
    t.equal(await readiness.readable(-Infinity), "timeout");
    send(there, Buffer.from("x"));
    t.equal(await readiness.readable(later()), "ready");
  });
});

t.test("what is there wins over the clock, however long the event loop was kept from looking", async (t) => {
  await withPair(async (here, there) => {
    using readiness = new Readiness(here);
    send(there, Buffer.from("x"));
    for (let round = 0; round < 20; round++) {
      // From the check phase on, timers come before the next poll.
      await new Promise((resolve) => setImmediate(resolve));
      const reading = readiness.readable(monotonicMillis() + 1);
      const busy = monotonicMillis() + 5;
      while (monotonicMillis() < busy);
      t.equal(await reading, "ready");
    }
    t.equal(await readiness.readable(monotonicMillis()), "ready", "a deadline of now is a look");
  });
});

t.test("reader and writer wait at once, each with its own deadline", async (t) => {
  await withPair(async (here, there) => {
    fill(here);
    using readiness = new Readiness(here);
    const writing = readiness.writable(later());
    const reading = readiness.readable(monotonicMillis() + 20);
    t.equal(await reading, "timeout");
    send(there, Buffer.from("x"));
    t.equal(await readiness.readable(later()), "ready", "while the writer still waits");
    drain(there);
    t.equal(await writing, "ready");

    fill(here);
    const late = readiness.writable(monotonicMillis() + 20);
    t.equal(await readiness.readable(later()), "ready");
    t.equal(await late, "timeout");
  });
});

t.test("bytes nobody waits for do not keep the event loop busy, and are found by the next wait", async (t) => {
  await withPair(async (here, there) => {
    using readiness = new Readiness(here);
    send(there, Uint8Array.of(1));
    t.equal(await readiness.readable(later()), "ready");
    const before = performance.eventLoopUtilization();
    await new Promise((resolve) => setTimeout(resolve, 300));
    t.ok(performance.eventLoopUtilization(before).utilization < 0.5, "the loop slept");
    t.equal(await readiness.readable(later()), "ready");
    drain(here);
    const more = readiness.readable(later());
    send(there, Uint8Array.of(2));
    t.equal(await more, "ready");
  });
});

t.test("a second waiter for one direction is a mistake of the caller", async (t) => {
  await withPair(async (here) => {
    using readiness = new Readiness(here);
    const reading = readiness.readable(monotonicMillis() + 20);
    t.throws(() => readiness.readable(later()), /second waiter/u);
    t.equal(await reading, "timeout");
  });
});

t.test('disposing wakes both waiters with "closed", and later ones at once', async (t) => {
  await withPair(async (here) => {
    fill(here);
    const readiness = new Readiness(here);
    const waiting = [readiness.readable(Infinity), readiness.writable(later())];
    readiness[Symbol.dispose]();
    readiness[Symbol.dispose]();
    t.strictSame(await Promise.all(waiting), ["closed", "closed"]);
    t.equal(await readiness.readable(Infinity), "closed");
    t.equal(await readiness.writable(Infinity), "closed");
  });
});

t.test("hang-up, the end and an error are all ready: the read or write says which", async (t) => {
  const [here, there] = socketPair("stream");
  using readiness = new Readiness(here);
  shutdownWrite(there);
  t.equal(await readiness.readable(later()), "ready");
  t.equal(receive(here, new Uint8Array(1)), 0);
  fill(here);
  const writing = readiness.writable(later());
  close(there);
  t.equal(await writing, "ready");
  t.throws(() => send(here, Buffer.from("x")), { code: "EPIPE" });
  t.equal(await readiness.readable(later()), "ready");
  readiness[Symbol.dispose]();
  close(here);
});

t.test("an error on a descriptor wakes reader and writer together", async (t) => {
  // A socket with unread bytes at its peer's close has POLLERR, with which uv ends all polling.
  const [here, there] = socketPair("stream");
  fill(here);
  using readiness = new Readiness(here);
  const waiting: Promise<WaitOutcome>[] = [readiness.readable(later()), readiness.writable(later())];
  close(there);
  t.strictSame(await Promise.all(waiting), ["ready", "ready"]);
  t.equal(await readiness.writable(later()), "ready", "and it can be waited for again");
  readiness[Symbol.dispose]();
  close(here);
});

t.test("the descriptor becomes non-blocking, and a regular file cannot be waited for", (t) => {
  const file = openSync(import.meta.filename, "r") as Fd;
  t.throws(() => new Readiness(file), { code: "EPERM", syscall: "epoll_ctl" });
  closeSync(file);
  t.throws(() => new Readiness(999_999 as Fd), { code: "EBADF" });
  t.equal(
    addon.readinessOpen(-1, () => undefined),
    -EBADF,
  );
  const terminal = openSync("/dev/ptmx", "r+") as Fd;
  t.equal(descriptorFlags(terminal) & 0o4000, 0);
  new Readiness(terminal)[Symbol.dispose]();
  t.equal(descriptorFlags(terminal) & 0o4000, 0o4000);
  close(terminal);
  t.end();
});

t.test("a descriptor's number can be used again at once by another file and another handle", async (t) => {
  for (let round = 0; round < 50; round++) {
    const [here, there] = socketPair("stream");
    const readiness = new Readiness(here);
    const waiting = readiness.readable(later());
    readiness[Symbol.dispose]();
    close(here);
    close(there);
    const [again, peer] = socketPair("stream");
    if (again !== here) throw new Error("the number is taken");
    using second = new Readiness(again);
    const reading = second.readable(later());
    send(peer, Buffer.from("x"));
    if ((await reading) !== "ready" || (await waiting) !== "closed") throw new Error("the handles were mixed up");
    second[Symbol.dispose]();
    close(again);
    close(peer);
  }
  t.pass();
});

t.test("a stopped slot is not called, the other one is", async (t) => {
  await withPair(async (here, there) => {
    const wake = (): void => {
      send(there, Buffer.from("x"));
    };
    const told: [Slot, number][] = [];
    const handle = addon.readinessOpen(here, (...what) => {
      told.push(what);
    }) as Readonly<object>;
    t.equal(addon.readinessStart(handle, READABLE, 5), 0);
    t.equal(addon.readinessStart(handle, WRITABLE, 5), 0);
    t.equal(addon.readinessStart(handle, WRITABLE, 5), -EBUSY);
    addon.readinessStop(handle, READABLE);
    addon.readinessStop(handle, READABLE);
    wake();
    await new Promise((resolve) => setTimeout(resolve, 20));
    t.match(told, [[WRITABLE, Number]]);
    receive(here, new Uint8Array(1));
    addon.readinessStart(handle, READABLE, 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    t.strictSame(told[1], [READABLE, -ETIMEDOUT]);
    addon.readinessClose(handle);
    addon.readinessClose(handle);
    addon.readinessStop(handle, READABLE);
    t.equal(addon.readinessStart(handle, READABLE, 5), -EBADF);
  });
});

t.test("microtasks of one callback run before the next callback", async (t) => {
  await withPair(async (here, there) => {
    const order: string[] = [];
    const told = await bothSlots(
      here,
      () => {
        send(there, Buffer.from("x"));
      },
      (_, slot) => {
        order.push(`slot ${String(slot)}`);
        process.nextTick(() => order.push("tick"));
        queueMicrotask(() => order.push("microtask"));
      },
    );
    t.strictSame(order, ["slot 0", "tick", "microtask", "slot 1", "tick", "microtask"]);
    t.strictSame(
      told.map(([slot]) => slot),
      [READABLE, WRITABLE],
    );
    t.ok(told.every(([, status]) => status >= 0));
  });
});

t.test("a callback may close its own handle, stop the other slot, or start again", async (t) => {
  const wakeUp = (there: Fd) => (): void => {
    send(there, Buffer.from("x"));
  };
  await withPair(async (here, there) => {
    const told = await bothSlots(here, wakeUp(there), (handle) => {
      addon.readinessClose(handle);
    });
    t.strictSame(
      told.map(([slot]) => slot),
      [READABLE],
      "closed before the second slot's turn",
    );
  });
  await withPair(async (here, there) => {
    const told = await bothSlots(here, wakeUp(there), (handle) => {
      addon.readinessStop(handle, WRITABLE);
    });
    t.strictSame(
      told.map(([slot]) => slot),
      [READABLE],
      "stopped before its turn",
    );
  });
  await withPair(async (here, there) => {
    let again = 3;
    const told = await bothSlots(here, wakeUp(there), (handle, slot) => {
      if (slot === READABLE && again-- > 0) addon.readinessStart(handle, READABLE, -1);
    });
    t.equal(told.filter(([slot]) => slot === READABLE).length, 4);
    t.equal(told.filter(([slot]) => slot === WRITABLE).length, 1);
  });
});

t.test("a waiting handle keeps the process running, an idle one does not", async (t) => {
  const idle = await run(fixture("readiness.fixture.ts", ["idle"]));
  t.match(idle, { status: 0, stdout: "ready idle\n", stderr: "" });
  const waiting = await run(fixture("readiness.fixture.ts", ["waiting"]));
  t.match(waiting, { status: 0, stdout: "timeout\n", stderr: "" });
});

t.test("handles nobody closed are collected, but never one that waits", async (t) => {
  const end = await run(fixture("readiness.fixture.ts", ["forget"], ["--expose-gc"]));
  t.match(end, { status: 0, signal: null, stderr: "" });
  t.strictSame(JSON.parse(end.stdout), { collected: 500, woken: 20 });
});

t.test("what a callback throws is an uncaught exception of the process", async (t) => {
  const end = await run(fixture("readiness.fixture.ts", ["throw"]));
  t.match(end, { status: 0, stdout: "uncaught: from the callback\nnext\n" });
});

t.test("a process may exit with handles that wait", async (t) => {
  const end = await run(fixture("readiness.fixture.ts", ["exit"]));
  t.match(end, { status: 7, signal: null, stderr: "" });
});

/** Starts a worker with handles in every state and lets it end; what error it ended with, if any. */
async function workerEnd(how: string): Promise<string> {
  const worker = new Worker(new URL("readiness-worker.fixture.ts", import.meta.url), {
    ...workerOptions,
    workerData: how,
  });
  let failure = "none";
  worker.on("error", (error) => {
    failure = error instanceof Error ? error.message : "not an error";
  });
  const exit = new Promise((resolve) => worker.on("exit", resolve));
  // An exit may overtake the message.
  await Promise.race([exit, new Promise((resolve) => worker.on("message", resolve))]);
  if (how === "terminate") await worker.terminate();
  await exit;
  return failure;
}

for (const how of ["terminate", "exit", "return", "throw"]) {
  t.test(`a worker thread may end (by ${how}) with handles open, waiting or just closed`, async (t) => {
    const ends = await Promise.all(Array.from({ length: 6 }, () => workerEnd(how)));
    t.strictSame(ends, Array(6).fill(how === "throw" ? "thrown" : "none"));
  });
}
