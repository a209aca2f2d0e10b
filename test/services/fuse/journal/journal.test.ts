import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import t from "tap";
import { close, constants, mapShared, sealedMemory, statx } from "../../../../native/index.ts";
import { crc32Of } from "../../../../services/fuse/journal/crc32.ts";
import { Journal, journalSize, KEY_SIZE, PAYLOAD_ROOM } from "../../../../services/fuse/journal/journal.ts";
import { Steps, STORE_BYTES } from "./killed.ts";

const SLOTS = 6;

function opened(memory: ArrayBuffer): Journal {
  const journal = Journal.open(memory);
  if (!(journal instanceof Journal)) throw new Error(journal.refusal);
  return journal;
}
const contents = (journal: Journal): string[] =>
  Array.from(journal.records(), (r) => `${String(r.slot)} ${String(r.kind)} ${r.payload.join()} ${String(r.counter)}`);

t.test("the checksum is that of zlib", (t) => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => crc32Of(bytes, 0, bytes.length, 0) === crc32(bytes)));
  t.end();
});

t.test("whatever is put, replaced, freed and counted is there when it is opened again", (t) => {
  const step = fc.record({
    act: fc.constantFrom("put", "replace", "free", "count"),
    pick: fc.nat(99),
    kind: fc.integer({ min: 0, max: 0xffff }),
    rest: fc.uint8Array({ maxLength: PAYLOAD_ROOM - KEY_SIZE }),
    n: fc.integer({ min: -0xffffffff, max: 0xffffffff }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const memory = new ArrayBuffer(journalSize(SLOTS));
      const journal = Journal.create(memory);
      const model = new Map<number, { kind: number; payload: Uint8Array; counter: number }>();
      steps.forEach(({ act, pick, kind, rest, n }, key) => {
        const payload = new Uint8Array(KEY_SIZE + rest.length);
        payload[0] = key;
        payload.set(rest, KEY_SIZE);
        const slots = [...model.keys()];
        const slot = slots[pick % slots.length];
        const old = slot === undefined ? undefined : model.get(slot);
        if (act === "put") {
          const put = journal.put(kind, payload);
          if ((put === -1) !== (model.size === SLOTS)) throw new Error("full");
          if (put >= 0) model.set(put, { kind, payload, counter: 0 });
        } else if (slot === undefined || old === undefined) return;
        else if (act === "free") {
          journal.free(slot);
          model.delete(slot);
        } else if (act === "count") {
          old.counter = Math.min(Math.max(old.counter + n, 0), 0xffffffff);
          if (journal.addToCounter(slot, n) !== old.counter) throw new Error("counter");
        } else {
          const put = journal.replace(slot, kind, payload);
          if (put === -1) return;
          model.delete(slot);
          model.set(put, { kind, payload, counter: old.counter });
        }
      });
      const expected = [...model]
        .sort(([a], [b]) => a - b)
        .map(([slot, r]) => `${String(slot)} ${String(r.kind)} ${r.payload.join()} ${String(r.counter)}`);
      return expected.join("\n") === contents(opened(memory)).join("\n");
    }),
    { numRuns: 300 },
  );
  t.end();
});

t.test("of two live records of one key the newer stays", (t) => {
  const memory = new ArrayBuffer(journalSize(SLOTS));
  const journal = Journal.create(memory);
  const payload = new Uint8Array(9);
  journal.put(1, payload);
  payload[8] = 7;
  journal.put(1, payload);
  t.same(contents(opened(memory)), ["1 1 0,0,0,0,0,0,0,0,7 0"]);
  t.end();
});

t.test("with any byte flipped it is refused, or what is checked is unharmed", (t) => {
  const memory = new ArrayBuffer(journalSize(2));
  Journal.create(memory).put(3, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9));
  const bytes = new Uint8Array(memory);
  let refused = 0;
  for (let at = 0; at < bytes.length; at++) {
    const copy = memory.slice(0);
    const flipped = new Uint8Array(copy);
    flipped[at] = (bytes[at] ?? 0) ^ 255;
    const journal = Journal.open(copy);
    if (!(journal instanceof Journal)) {
      refused++;
      continue;
    }
    const [record] = [...journal.records()];
    if (record?.payload.join() !== "1,2,3,4,5,6,7,8,9" || record.kind !== 3) t.fail(`byte ${String(at)}`);
  }
  // 20 bytes of header and 4 that count the used slots, 20 and 9 of the record.
  t.equal(refused, 20 + 4 + 20 + 9);
  t.end();
});

t.test("slots that were never used cost nothing, and what lay in them before is nobody's", (t) => {
  const size = journalSize(1_000_000);
  const fd = sealedMemory("cortexfs-test", size);
  const memory = mapShared(fd, size);
  const journal = Journal.create(memory);
  const payload = new Uint8Array(64);
  for (let n = 0; n < 100; n++) {
    payload[0] = n;
    journal.put(1, payload);
  }
  t.equal(contents(opened(memory)).length, 100);
  const kept = Number(statx(fd, "", constants.AT_EMPTY_PATH).blocks) * 512;
  t.ok(kept < 128 * 1024, `${String(kept)} of ${String(size)} bytes are in use`);
  Journal.create(memory);
  t.same(contents(opened(memory)), [], "a new journal over an old one is empty");
  close(fd);
  t.end();
});

const kills = process.env["CORTEXFS_SOAK"] === "1" ? 200 : 10;

t.test(`killed ${String(kills)} times at any moment, it holds what was done, or one step more`, async (t) => {
  const folder = mkdtempSync("/dev/shm/cortexfs-journal-");
  t.teardown(() => {
    rmSync(folder, { recursive: true });
  });
  let furthest = 0;
  for (let seed = 1; seed <= kills; seed++) {
    const file = path.join(folder, String(seed));
    writeFileSync(file, new Uint8Array(STORE_BYTES));
    writeFileSync(`${file}.done`, new Uint8Array(4));
    const writer = spawn(process.execPath, [path.join(import.meta.dirname, "killed.fixture.ts"), file, String(seed)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(writer.stdout, "data");
    await delay(seed % 7);
    writer.kill("SIGKILL");
    await once(writer, "close");
    const done = readFileSync(`${file}.done`).readUInt32LE(0);
    const found = opened(new Uint8Array(readFileSync(file)).buffer);
    const state = Array.from(found.records(), (r) => `${r.payload.join()} ${String(r.counter)}`).sort();
    const steps = new Steps(seed);
    for (let n = 0; n < done; n++) steps.take(undefined);
    const before = steps.state();
    steps.take(undefined);
    const isEither = [before, steps.state()].some((expected) => expected.join("\n") === state.join("\n"));
    t.ok(isEither, `seed ${String(seed)}: after ${String(done)} steps`);
    furthest = Math.max(furthest, done);
  }
  t.ok(furthest > 100, `up to ${String(furthest)} steps were taken`);
});
