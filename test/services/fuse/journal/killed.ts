/** A sequence of steps that a seed decides, taken on a journal or on a model of it. */
import { journalSize, KEY_SIZE, type Journal } from "../../../../services/fuse/journal/journal.ts";

export const STORE_BYTES = journalSize(64);

interface Kept {
  slot: number;
  payload: Uint8Array;
  counter: number;
}

export class Steps {
  readonly #kept: Kept[] = [];
  #random: number;
  #key = 0;

  constructor(seed: number) {
    this.#random = seed;
  }

  /** The next step, in the journal too where there is one. */
  take(journal: Journal | undefined): void {
    const act = this.#next(4);
    const kept = this.#kept[this.#next(Math.max(1, this.#kept.length))];
    if (kept === undefined || (act === 0 && this.#kept.length < 60)) {
      const payload = this.#payload(++this.#key);
      this.#kept.push({ slot: journal?.put(1, payload) ?? 0, payload, counter: 0 });
    } else if (act === 1) {
      journal?.free(kept.slot);
      this.#kept.splice(this.#kept.indexOf(kept), 1);
    } else if (act === 2) {
      const more = this.#next(5);
      kept.counter += more;
      journal?.addToCounter(kept.slot, more);
    } else {
      kept.payload = this.#payload(new Uint32Array(kept.payload.slice(0, 4).buffer)[0] ?? 0);
      kept.slot = journal?.replace(kept.slot, 1, kept.payload) ?? 0;
    }
  }

  state(): string[] {
    return this.#kept.map(({ payload, counter }) => `${payload.join()} ${String(counter)}`).sort();
  }

  #payload(key: number): Uint8Array {
    const payload = new Uint8Array(KEY_SIZE + this.#next(200));
    new DataView(payload.buffer).setUint32(0, key, true);
    payload.fill(this.#next(256), KEY_SIZE);
    return payload;
  }

  /** A whole number below `end`: xorshift32. */
  #next(end: number): number {
    let x = this.#random;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#random = x >>> 0;
    return this.#random % end;
  }
}
