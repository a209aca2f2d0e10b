/** A worker thread that ends, in the way its data says, with handles in every state. */
import { parentPort, workerData } from "node:worker_threads";
import { monotonicMillis, Readiness, send, socketPair } from "../../native/index.ts";

const idle: Readiness[] = [];
for (let index = 0; index < 30; index++) {
  const [here, there] = socketPair("stream");
  const readiness = new Readiness(here);
  if (index % 3 === 0) idle.push(readiness);
  else if (workerData !== "return") void readiness.readable(index % 3 === 1 ? Infinity : monotonicMillis() + index);
  if (index % 4 === 0) send(there, Buffer.from("x"));
}
parentPort?.postMessage("handles are open");
for (const readiness of idle.slice(5)) readiness[Symbol.dispose]();
if (workerData === "exit") process.exit();
if (workerData === "throw") throw new Error("thrown");
