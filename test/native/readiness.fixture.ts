/** One way, named by the argument, in which a process treats its handles. */
import { close, monotonicMillis, Readiness, send, socketPair, type Fd } from "../../native/index.ts";
import { addon } from "../../native/addon.ts";

declare const gc: () => void;

async function idle(): Promise<void> {
  const [here] = socketPair("stream");
  const readiness = new Readiness(here);
  console.log(await readiness.writable(Infinity), "idle");
}

async function waiting(): Promise<void> {
  const [here] = socketPair("stream");
  console.log(await new Readiness(here).readable(monotonicMillis() + 100));
}

async function forget(): Promise<void> {
  const counts = { collected: 0, woken: 0 };
  const registry = new FinalizationRegistry(() => {
    counts.collected++;
  });
  const peers: Fd[] = [];
  const wakes: Promise<void>[] = [];
  for (let index = 0; index < 520; index++) {
    const [here, there] = socketPair("stream");
    const readiness = new Readiness(here);
    // Used once, and idle again.
    await readiness.writable(Infinity);
    if (index < 500) {
      registry.register(readiness, index);
      close(there);
    } else {
      peers.push(there);
      wakes.push(
        readiness.readable(Infinity).then((outcome) => {
          if (outcome === "ready") counts.woken++;
        }),
      );
    }
  }
  for (let round = 0; round < 100 && counts.collected < 500; round++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  for (const peer of peers) send(peer, Buffer.from("x"));
  await Promise.all(wakes);
  console.log(JSON.stringify(counts));
}

function throwing(): void {
  const [here] = socketPair("stream");
  process.once("uncaughtException", (error) => {
    console.log(`uncaught: ${error.message}`);
    addon.readinessStart(handle, 1, -1);
  });
  let calls = 0;
  const handle = addon.readinessOpen(here, () => {
    if (calls++ === 0) throw new Error("from the callback");
    console.log("next");
  }) as object;
  addon.readinessStart(handle, 1, -1);
}

function exit(): void {
  for (let index = 0; index < 20; index++) {
    const [here, there] = socketPair("stream");
    const readiness = new Readiness(here);
    void readiness.readable(index % 2 === 0 ? Infinity : monotonicMillis() + 1000);
    if (index % 5 === 0) readiness[Symbol.dispose]();
    if (index % 3 === 0) send(there, Buffer.from("x"));
  }
  setTimeout(() => process.exit(7), 0);
}

const ways: Record<string, () => void | Promise<void>> = { idle, waiting, forget, throw: throwing, exit };
await ways[process.argv[2] ?? ""]?.();
