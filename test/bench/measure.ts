/** Interleaved rounds of alternatives that do the same work: medians, their spread, and ratios to a peer. */

export interface Alternative {
  readonly name: string;
  /** Does the work once. */
  readonly round: () => Promise<void>;
}

export interface Row {
  readonly name: string;
  /** Milliseconds of the median round, and of the 10th and 90th percentile. */
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Runs every alternative once a round, in turn and in changing order, so that the machine's noise meets them alike. */
export async function interleave(alternatives: readonly Alternative[], rounds: number): Promise<readonly Row[]> {
  const times = new Map(alternatives.map(({ name }) => [name, [] as number[]]));
  for (const { round } of alternatives) await round();
  for (let i = 0; i < rounds; i++) {
    for (const { name, round } of i % 2 === 0 ? alternatives : alternatives.toReversed()) {
      const started = performance.now();
      await round();
      times.get(name)?.push(performance.now() - started);
    }
  }
  return alternatives.map(({ name }) => {
    const sorted = (times.get(name) ?? []).toSorted((a, b) => a - b);
    const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? NaN;
    return { name, median: at(0.5), low: at(0.1), high: at(0.9) };
  });
}
