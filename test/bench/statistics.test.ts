import t from "tap";
import { median, percentile, ratioOfMedians, seededRandom } from "./statistics.ts";

t.test("the median is the middle, or the mean of two middles, and leaves the sample as it was", (t) => {
  const sample = [9, 1, 5];
  t.equal(median(sample), 5);
  t.strictSame(sample, [9, 1, 5]);
  t.equal(median([10, 2, 4, 1]), 3);
  t.equal(median([7]), 7);
  t.end();
});

t.test("percentiles interpolate between neighbours and sort by number", (t) => {
  t.equal(percentile([100, 20, 3], 0), 3);
  t.equal(percentile([100, 20, 3], 1), 100);
  t.equal(percentile([0, 10, 20, 30, 40], 0.1), 4);
  t.end();
});

t.test("an empty sample and a share that is none are refused", (t) => {
  t.throws(() => median([]), RangeError);
  t.throws(() => percentile([1], 1.1), RangeError);
  t.throws(() => percentile([1], NaN), RangeError);
  t.throws(() => ratioOfMedians([], [], seededRandom(1)), RangeError);
  t.throws(() => ratioOfMedians([1, 2], [1], seededRandom(1)), RangeError);
  t.end();
});

t.test("the generator repeats itself for a seed, differs between seeds and fills the unit interval evenly", (t) => {
  const draw = (seed: number): number[] => {
    const random = seededRandom(seed);
    return Array.from({ length: 10_000 }, () => random());
  };
  const drawn = draw(1);
  t.strictSame(drawn.slice(0, 20), draw(1).slice(0, 20));
  t.notSame(drawn.slice(0, 20), draw(2).slice(0, 20));
  t.ok(drawn.every((value) => value >= 0 && value < 1));
  for (let tenth = 0; tenth < 10; tenth++) {
    const share = drawn.filter((value) => Math.floor(value * 10) === tenth).length / drawn.length;
    t.ok(Math.abs(share - 0.1) < 0.015, `a tenth of the numbers in tenth ${String(tenth)}`);
  }
  t.end();
});

t.test("a sample that is twice the other in every round has a ratio of exactly 2", (t) => {
  const peer = [3, 1, 4, 1, 5, 9, 2, 6];
  const ours = peer.map((time) => 2 * time);
  t.strictSame(ratioOfMedians(ours, peer, seededRandom(7)), { ratio: 2, low: 2, high: 2 });
  t.end();
});

t.test("the interval holds the true ratio about 95 times in 100", (t) => {
  const random = seededRandom(42);
  const times = (scale: number): number[] => Array.from({ length: 15 }, () => scale * (1 + random()));
  let held = 0;
  for (let trial = 0; trial < 200; trial++) {
    const { ratio, low, high } = ratioOfMedians(times(3), times(2), random);
    if (!(low <= ratio && ratio <= high)) t.fail("the ratio lies outside its own interval");
    if (low <= 1.5 && 1.5 <= high) held++;
  }
  t.ok(held >= 176 && held <= 200, `${String(held)} of 200`);
  t.end();
});
