/** In a worker thread: waits for bytes and for a child, and posts what came of it. */
import { parentPort } from "node:worker_threads";
import { close, monotonicMillis, Readiness, receive, send, socketPair, spawn, waitid } from "../../native/index.ts";

const [here, there] = socketPair("stream");
const readiness = new Readiness(here);
setTimeout(() => send(there, Buffer.from("hello")), 10);
const outcome = await readiness.readable(monotonicMillis() + 10_000);
const buffer = new Uint8Array(16);
const received = Buffer.from(buffer.subarray(0, receive(here, buffer))).toString();
readiness[Symbol.dispose]();
close(here);
close(there);

const child = spawn({ path: "/bin/sh", argv: ["sh", "-c", "exit 3"], environment: [], descriptors: [] });
const ending = new Readiness(child.pidfd);
await ending.readable(Infinity);
ending[Symbol.dispose]();
const end = waitid(child);
close(child.pidfd);
parentPort?.postMessage({ received, outcome, status: end?.kind === "exited" ? end.status : undefined });
