import { crc32 } from "node:zlib";
import fc from "fast-check";
import t from "tap";
import { crc32Of } from "../../../../services/fuse/journal/crc32.ts";
import { Journal, journalSize, KEY_SIZE, PAYLOAD_ROOM } from "../../../../services/fuse/journal/journal.ts";

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
  // 20 bytes of header, 20 and 9 of the record, the other slot's state.
  t.equal(refused, 20 + 20 + 9 + 4);
  t.end();
});
