import fc from "fast-check";
import t from "tap";
import { LogAllowance } from "../../../services/frame/log-allowance.ts";

const limits = { perPayer: 3, total: 5, windowMillis: 1000 };

t.test("one payer has a share of a window, and all together have a bound", (t) => {
  const allowance = new LogAllowance(limits);
  const take = (payer: number | undefined, now = 0): number | undefined => allowance.take(payer, now);
  t.same([take(1), take(1), take(1), take(1), take(1)], [0, 0, 0, undefined, undefined]);
  t.same([take(undefined), take(2), take(3)], [2, 0, undefined], "the next line says that two were held back");
  t.equal(take(3, 999), undefined);
  t.equal(take(3, 1000), 2, "a new window");
  t.equal(take(1, 1999), 0);
  t.end();
});

t.test("every line is allowed, or counted by the next one that is, or still held back", (t) => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(4), fc.nat(400))), (lines) => {
      const allowance = new LogAllowance(limits);
      let now = 0;
      let told = 0;
      for (const [payer, pause] of lines) {
        now += pause;
        const heldBack = allowance.take(payer, now);
        told += heldBack === undefined ? 0 : heldBack + 1;
      }
      const last = allowance.take(9, now + limits.windowMillis) ?? NaN;
      return told + last === lines.length;
    }),
  );
  t.end();
});
