/** What a benchmark's rounds say: medians, percentiles, and how sure one can be of a ratio of medians. */

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface Ratio extends Interval {
  /** The median of the first sample over that of the second. */
  readonly ratio: number;
}

const RESAMPLES = 2000;

/**
 * The value below which `share` (0 to 1) of the sample lies, between two neighbours by linear interpolation (type 7 of
 * Hyndman and Fan, which R and NumPy use by default). A RangeError for an empty sample or a share outside 0 to 1.
 */
export function percentile(sample: readonly number[], share: number): number {
  if (!(share >= 0 && share <= 1)) throw new RangeError(`a share is between 0 and 1, not ${String(share)}`);
  const sorted = sample.toSorted((a, b) => a - b);
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) throw new RangeError("an empty sample has no percentile");
  return below + (above - below) * (position - Math.floor(position));
}

/** The middle of the sample, or the mean of its two middles. A RangeError for an empty sample. */
export function median(sample: readonly number[]): number {
  return percentile(sample, 0.5);
}

/**
 * Numbers from 0 up to but not including 1, the same ones for the same 32-bit seed (mulberry32, by Tommy Ettinger): two
 * runs over the same times print the same interval.
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * The ratio of the medians of `ours` to `peer`, with its 95 % percentile bootstrap interval. The two hold the times of
 * the same rounds in the same order; rounds are drawn as pairs, for what slowed the machine in a round slowed both.
 * A RangeError if they are empty or differ in length.
 */
export function ratioOfMedians(ours: readonly number[], peer: readonly number[], random: () => number): Ratio {
  if (ours.length !== peer.length) throw new RangeError("paired samples are equally long");
  const ratio = median(ours) / median(peer);
  const resampled = Array.from({ length: RESAMPLES }, () => {
    const rounds = ours.map(() => Math.floor(random() * ours.length));
    const drawn = (sample: readonly number[]): number[] => rounds.map((round) => sample[round] ?? NaN);
    return median(drawn(ours)) / median(drawn(peer));
  });
  return { ratio, low: percentile(resampled, 0.025), high: percentile(resampled, 0.975) };
}
