import { monotonicMillis, type Deadline } from "../../native/index.ts";

export interface LogAllowanceLimits {
  readonly perPayer: number;
  readonly total: number;
  readonly windowMillis: number;
}

/** journald itself drops a unit's entries above 10,000 in 30 s: peers are kept far below, and leave room for others. */
const LIMITS: LogAllowanceLimits = { perPayer: 20, total: 200, windowMillis: 30_000 };

/**
 * Bounds how much peers can make a service write: so many lines of one payer and of all in a window of time. Nothing is
 * lost without a word: the next line that is allowed says how many were held back.
 */
export class LogAllowance {
  readonly #limits: LogAllowanceLimits;
  readonly #byPayer = new Map<number | undefined, number>();
  #total = 0;
  #windowEnd: Deadline = -Infinity;
  #heldBack = 0;

  constructor(limits: LogAllowanceLimits = LIMITS) {
    this.#limits = limits;
  }

  /**
   * Undefined when a line about `payer` (undefined for a peer that could not be told) must be held back; else how many
   * were held back since the last one. The table has at most `total` entries.
   */
  take(payer: number | undefined, now: Deadline = monotonicMillis()): number | undefined {
    if (now >= this.#windowEnd) {
      this.#windowEnd = now + this.#limits.windowMillis;
      this.#byPayer.clear();
      this.#total = 0;
    }
    const ofPayer = this.#byPayer.get(payer) ?? 0;
    if (ofPayer >= this.#limits.perPayer || this.#total >= this.#limits.total) {
      this.#heldBack++;
      return undefined;
    }
    this.#byPayer.set(payer, ofPayer + 1);
    this.#total++;
    const heldBack = this.#heldBack;
    this.#heldBack = 0;
    return heldBack;
  }
}
