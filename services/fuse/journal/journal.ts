import { crc32Of } from "./crc32.ts";

const MAGIC = 0x4a585443;
const VERSION = 1;
/** A word of the header, after its checksum: how many slots were ever used, with a check of its own since it changes. */
const USED = 5;
const MOST_SLOTS = 0xff_ffff;
const HEADER_SIZE = 64;
const SLOT_SIZE = 320;
const PAYLOAD_AT = 24;
/** The longest payload, in bytes. */
export const PAYLOAD_ROOM = SLOT_SIZE - PAYLOAD_AT;
/** Each payload begins with as many bytes that name what the record is about, among those of its kind. */
export const KEY_SIZE = 8;

/** So far apart that no damage to one byte makes one of the other. */
const FREE = 0;
const LIVE = 0x4c495645;

// Words of a slot; the third holds the kind, then the length, 16 bits each.
const STATE = 0;
const CRC = 4;
const COUNTER = 5;

export interface StoredRecord {
  readonly slot: number;
  readonly kind: number;
  /** A view of the memory: it changes with the slot. */
  readonly payload: Uint8Array;
  readonly counter: number;
}

/** Bytes that a journal of `slots` records needs. */
export const journalSize = (slots: number): number => HEADER_SIZE + slots * SLOT_SIZE;

/**
 * Records in memory that outlives the process. A record is live by one store that comes after all others, so a writer
 * killed at any moment leaves the old state or the new one. Slots that were never used are never touched, so that a large
 * journal costs what is in it. Memory and native stores are little-endian, as Linux on x64.
 */
export class Journal {
  readonly #words: Uint32Array;
  readonly #halves: Uint16Array;
  readonly #bytes: Uint8Array;
  readonly #slots: number;
  /** A stack of the free among the used slots: the last freed is the next taken, so few pages are touched. */
  readonly #free: number[] = [];
  #used = 0;
  #sequence = 0;

  private constructor(memory: ArrayBuffer, slots: number) {
    this.#words = new Uint32Array(memory, 0, journalSize(slots) / 4);
    this.#halves = new Uint16Array(memory, 0, journalSize(slots) / 2);
    this.#bytes = new Uint8Array(memory, 0, journalSize(slots));
    this.#slots = slots;
  }

  /** An empty journal over the whole memory, whatever was in it. RangeError when not one slot fits, or over 16 million. */
  static create(memory: ArrayBuffer): Journal {
    const slots = slotsIn(memory);
    if (slots < 1 || slots > MOST_SLOTS) throw new RangeError(`no journal has ${String(slots)} slots`);
    const journal = new Journal(memory, slots);
    journal.#setUsed(0);
    journal.#words.set([MAGIC, VERSION, SLOT_SIZE, slots]);
    journal.#words[4] = crc32Of(journal.#bytes, 0, 16, 0);
    return journal;
  }

  /** The journal that is there, or one sentence that says why it cannot be used. Of two records of a key the newer stays. */
  static open(memory: ArrayBuffer): Journal | { readonly refusal: string } {
    const slots = slotsIn(memory);
    if (slots < 1) return refusal("the memory is too short");
    const journal = new Journal(memory, slots);
    const [magic, version, slotSize, count, crc] = journal.#words;
    if (magic !== MAGIC || version !== VERSION || slotSize !== SLOT_SIZE || count !== slots)
      return refusal("the header is not that of a journal of this version and size");
    if (crc !== crc32Of(journal.#bytes, 0, 16, 0)) return refusal("the header's checksum is wrong");
    const used = usedOf(journal.#word(USED));
    if (used === undefined || used > slots) return refusal("the number of used slots is damaged");
    const wrong = journal.#recover(used);
    return wrong === undefined ? journal : refusal(wrong);
  }

  /** Writes a record with counter 0: its slot, or -1 when all are taken. RangeError for a length without key or room. */
  put(kind: number, payload: Uint8Array, length: number = payload.length): number {
    return this.#write(kind, payload, length, 0);
  }

  /** As `put`, with the counter of `slot`, which is free afterwards. With -1 it is left as it is. */
  replace(slot: number, kind: number, payload: Uint8Array, length: number = payload.length): number {
    const written = this.#write(kind, payload, length, this.counter(slot));
    if (written >= 0) this.free(slot);
    return written;
  }

  /** RangeError for a slot that is not live. */
  free(slot: number): void {
    Atomics.store(this.#words, this.#live(slot) + STATE, FREE);
    this.#free.push(slot);
  }

  /** RangeError for a slot that is not live. */
  counter(slot: number): number {
    return Atomics.load(this.#words, this.#live(slot) + COUNTER);
  }

  /** Adds in place, by one store, and stays between 0 and 2^32-1: the new value. RangeError for a slot that is not live. */
  addToCounter(slot: number, n: number): number {
    const at = this.#live(slot) + COUNTER;
    const sum = Math.min(Math.max(Atomics.load(this.#words, at) + n, 0), 0xffffffff);
    Atomics.store(this.#words, at, sum);
    return sum;
  }

  /** The live records, by slot. */
  *records(): Generator<StoredRecord> {
    for (let slot = 0; slot < this.#used; slot++) {
      const word = wordOf(slot);
      if (this.#word(word + STATE) !== LIVE) continue;
      const payload = this.#bytes.subarray(word * 4 + PAYLOAD_AT, word * 4 + PAYLOAD_AT + this.#half(word * 2 + 3));
      yield { slot, kind: this.#half(word * 2 + 2), payload, counter: this.#word(word + COUNTER) };
    }
  }

  #write(kind: number, payload: Uint8Array, length: number, counter: number): number {
    if (length < KEY_SIZE || length > PAYLOAD_ROOM || length > payload.length) throw new RangeError("payload length");
    const slot = this.#free.pop() ?? this.#used;
    if (slot === this.#slots) return -1;
    const word = wordOf(slot);
    const sequence = ++this.#sequence;
    this.#halves[word * 2 + 2] = kind;
    this.#halves[word * 2 + 3] = length;
    this.#words[word + 2] = sequence;
    this.#words[word + 3] = Math.floor(sequence / 0x100000000);
    for (let i = 0, at = word * 4 + PAYLOAD_AT; i < length; i++) this.#bytes[at + i] = payload[i] ?? 0;
    this.#words[word + CRC] = this.#checksum(word, length);
    this.#words[word + COUNTER] = counter;
    Atomics.store(this.#words, word + STATE, LIVE);
    // What lies in a slot that is not counted yet is nobody's, whatever its state says.
    if (slot === this.#used) this.#setUsed(slot + 1);
    return slot;
  }

  #setUsed(used: number): void {
    this.#used = used;
    Atomics.store(this.#words, USED, checkedUsed(used));
  }

  /** Kind, length and sequence, then the payload. */
  #checksum(word: number, length: number): number {
    const at = word * 4;
    return crc32Of(this.#bytes, at + PAYLOAD_AT, length, crc32Of(this.#bytes, at + 4, 12, 0));
  }

  /** What is wrong, or undefined when free slots and the last sequence are known. Changes nothing when it is wrong. */
  #recover(used: number): string | undefined {
    const newest = new Map<string, { slot: number; sequence: number }>();
    const older: number[] = [];
    for (let slot = 0; slot < used; slot++) {
      const word = wordOf(slot);
      const state = this.#word(word + STATE);
      if (state === FREE) continue;
      if (state !== LIVE) return `slot ${String(slot)} is neither free nor live`;
      const length = this.#half(word * 2 + 3);
      if (length < KEY_SIZE || length > PAYLOAD_ROOM || this.#checksum(word, length) !== this.#word(word + CRC))
        return `the live record in slot ${String(slot)} does not match its checksum`;
      const sequence = this.#word(word + 2) + this.#word(word + 3) * 0x100000000;
      this.#sequence = Math.max(this.#sequence, sequence);
      const at = word * 4 + PAYLOAD_AT;
      const key = `${String(this.#half(word * 2 + 2))} ${this.#bytes.subarray(at, at + KEY_SIZE).join()}`;
      const other = newest.get(key);
      if (other !== undefined) older.push(other.sequence < sequence ? other.slot : slot);
      if (other === undefined || other.sequence < sequence) newest.set(key, { slot, sequence });
    }
    for (const slot of older) Atomics.store(this.#words, wordOf(slot) + STATE, FREE);
    this.#used = used;
    for (let slot = used - 1; slot >= 0; slot--) if (this.#word(wordOf(slot) + STATE) === FREE) this.#free.push(slot);
    return undefined;
  }

  #live(slot: number): number {
    const word = wordOf(slot);
    if (!(slot >= 0 && slot < this.#used) || this.#words[word + STATE] !== LIVE) throw new RangeError("slot not live");
    return word;
  }

  #word(at: number): number {
    return this.#words[at] ?? 0;
  }

  #half(at: number): number {
    return this.#halves[at] ?? 0;
  }
}

const slotsIn = (memory: ArrayBuffer): number => Math.floor((memory.byteLength - HEADER_SIZE) / SLOT_SIZE);

/** 24 bits and, in the upper byte, the sum of their bytes without carries: one store, and no damaged byte goes unseen. */
const checkedUsed = (used: number): number =>
  ((((used ^ (used >>> 8) ^ (used >>> 16) ^ 0xa5) & 0xff) << 24) | used) >>> 0;

function usedOf(word: number): number | undefined {
  const used = word & MOST_SLOTS;
  return checkedUsed(used) === word ? used : undefined;
}

const wordOf = (slot: number): number => (HEADER_SIZE + slot * SLOT_SIZE) / 4;

const refusal = (wrong: string): { readonly refusal: string } => ({
  refusal: `The journal is not used and an empty one takes its place: ${wrong}.`,
});
