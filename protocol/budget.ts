/** A share that could not be had: which limit refused it. The sentence is fit for the peer. */
export interface Exhausted {
  readonly limit: "total" | "per payer";
  readonly message: string;
}

/** What is taken until it is disposed; disposing it twice gives back once. */
export interface Charge extends Disposable {
  readonly amount: number;
}

/**
 * Something bounded (connections, bytes, workers), shared among payers: at most `total` at a time, at most `perPayer`
 * of it by one. Charged before anything is allocated. A payer is what `PeerIdentity.payer` says.
 *
 * Invariant: the sum of all live charges is `used`, and no entry of the table is 0.
 */
export class Budget {
  readonly #name: string;
  readonly #total: number;
  readonly #perPayer: number;
  readonly #byPayer = new Map<number, number>();
  #used = 0;

  /** `name` is the plural noun of the sentence "too many …". */
  constructor(name: string, limits: { readonly total: number; readonly perPayer: number }) {
    this.#name = name;
    this.#total = limits.total;
    this.#perPayer = limits.perPayer;
  }

  get used(): number {
    return this.#used;
  }

  usedBy(payer: number): number {
    return this.#byPayer.get(payer) ?? 0;
  }

  /** Takes `amount` (a whole number, at least 1) for `payer`, or says which limit is in the way. */
  charge(payer: number, amount = 1): Charge | Exhausted {
    if (!Number.isSafeInteger(amount) || amount < 1) throw new RangeError("a charge is a whole number, at least 1");
    if (this.usedBy(payer) + amount > this.#perPayer) return this.#exhausted("per payer", this.#perPayer);
    if (this.#used + amount > this.#total) return this.#exhausted("total", this.#total);
    this.#add(payer, amount);
    let live = true;
    return {
      amount,
      [Symbol.dispose]: () => {
        if (live) this.#add(payer, -amount);
        live = false;
      },
    };
  }

  #add(payer: number, amount: number): void {
    this.#used += amount;
    const left = this.usedBy(payer) + amount;
    if (left === 0) this.#byPayer.delete(payer);
    else this.#byPayer.set(payer, left);
  }

  #exhausted(limit: Exhausted["limit"], value: number): Exhausted {
    const whose = limit === "total" ? "in all" : "for one user";
    return { limit, message: `too many ${this.#name}: ${String(value)} are allowed ${whose}` };
  }
}

export function isExhausted(answer: Charge | Exhausted): answer is Exhausted {
  return "limit" in answer;
}
