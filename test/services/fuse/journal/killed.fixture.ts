/** Takes steps on a journal in one mapped file, and counts in another those that are done, until it is killed. */
import { openSync, writeSync } from "node:fs";
import { mapShared, type Fd } from "../../../../native/index.ts";
import { Journal } from "../../../../services/fuse/journal/journal.ts";
import { Steps, STORE_BYTES } from "./killed.ts";

const [, , file = "", seed = ""] = process.argv;
const map = (name: string, length: number): ArrayBuffer => mapShared(openSync(name, "r+") as Fd, length);
const journal = Journal.create(map(file, STORE_BYTES));
const done = new Uint32Array(map(`${file}.done`, 4));
const steps = new Steps(Number(seed));
writeSync(1, "ready");
for (;;) {
  steps.take(journal);
  Atomics.add(done, 0, 1);
}
