import fc from "fast-check";
import t from "tap";
import { Budget, isExhausted, type Charge } from "../../protocol/budget.ts";

t.test("a payer gets up to its share, everybody together up to the total, and no more", (t) => {
  const budget = new Budget("connections", { total: 5, perPayer: 3 });
  const first = budget.charge(1, 3);
  t.notOk(isExhausted(first));
  t.same(budget.charge(1), {
    limit: "per payer",
    message: "too many connections: 3 are allowed for one user",
  });
  t.notOk(isExhausted(budget.charge(2, 2)), "another payer has the rest");
  t.same(budget.charge(3), { limit: "total", message: "too many connections: 5 are allowed in all" });
  t.equal(budget.used, 5);
  t.equal(budget.usedBy(2), 2);
  t.end();
});

t.test("a charge is given back once, however often it is disposed", (t) => {
  const budget = new Budget("bytes", { total: 10, perPayer: 10 });
  const charges = [budget.charge(1, 4), budget.charge(1, 6)] as [Charge, Charge];
  charges[0][Symbol.dispose]();
  charges[0][Symbol.dispose]();
  t.equal(budget.used, 6);
  t.equal(budget.usedBy(1), 6);
  charges[1][Symbol.dispose]();
  t.equal(budget.used, 0);
  t.end();
});

t.test("an amount that is no whole number of at least 1 is refused before anything is counted", (t) => {
  const budget = new Budget("bytes", { total: 10, perPayer: 10 });
  for (const amount of [0, -1, 1.5, NaN, Infinity, 2 ** 53]) t.throws(() => budget.charge(1, amount), RangeError);
  t.equal(budget.used, 0);
  t.end();
});

t.test("after any sequence of charges and returns the books agree with a plain sum", (t) => {
  const step = fc.record({ payer: fc.nat(3), amount: fc.integer({ min: 1, max: 4 }), giveBack: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const budget = new Budget("things", { total: 12, perPayer: 6 });
      const live: { payer: number; charge: Charge }[] = [];
      const sum = (payer?: number): number =>
        live.reduce((n, { payer: p, charge }) => n + (payer === undefined || p === payer ? charge.amount : 0), 0);
      for (const { payer, amount, giveBack } of steps) {
        if (giveBack) {
          live.shift()?.charge[Symbol.dispose]();
        } else {
          const fits = sum() + amount <= 12 && sum(payer) + amount <= 6;
          const answer = budget.charge(payer, amount);
          if (isExhausted(answer) === fits) return false;
          if (!isExhausted(answer)) live.push({ payer, charge: answer });
        }
        if (budget.used !== sum() || budget.usedBy(payer) !== sum(payer)) return false;
      }
      return true;
    }),
  );
  t.end();
});
