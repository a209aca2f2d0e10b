/** A thread that never rests: it allocates, reads files through the thread pool and starts processes, until it is ended. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { parentPort } from "node:worker_threads";

async function allocate(): Promise<never> {
  for (let round = 0; ; round++) {
    Buffer.alloc(1 << (10 + (round % 10))).toString("base64");
    if (round % 50 === 0) await readFile("/proc/self/maps");
  }
}

async function start(): Promise<never> {
  for (;;) await new Promise((resolve) => execFile("/bin/true", resolve));
}

void allocate();
void start();
setTimeout(() => parentPort?.postMessage("busy"), 20);
