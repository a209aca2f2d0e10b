import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import t from "tap";
import { frameFaults } from "./frame.ts";
import { nativeFaults } from "./native.ts";
import { Plantation, type Fault } from "./plant.ts";
import { protocolFaults } from "./protocol.ts";

const root = path.join(import.meta.dirname, "../..");
const faults: readonly Fault[] = [...nativeFaults, ...protocolFaults, ...frameFaults];

/** The files whose exported functions and classes must each have a fault. */
const covered = [
  "native/index.ts",
  "protocol/budget.ts",
  "protocol/connection.ts",
  "protocol/conversation.ts",
  "protocol/fault.ts",
  "protocol/frame.ts",
  "protocol/peer.ts",
  "protocol/schema.ts",
  "protocol/strict-json.ts",
  ...["datagram", "environment", "inherited-descriptors", "journal", "journal-entry", "listener", "log-allowance"].map(
    (name) => `services/frame/${name}.ts`,
  ),
  ...["notify", "redaction", "service", "start-error", "visible-text"].map((name) => `services/frame/${name}.ts`),
];

t.test("every exported function of native/, protocol/ and services/frame/ has a fault planted in it", async (t) => {
  const planted = new Set(faults.map(({ of }) => of));
  for (const file of covered) {
    const module = (await import(path.join(root, file))) as Readonly<Record<string, unknown>>;
    for (const [name, value] of Object.entries(module)) {
      if (typeof value === "function") t.ok(planted.has(`${file}: ${name}`), `${file}: ${name}`);
    }
  }
});

t.test("every fault changes exactly one place of its file", (t) => {
  for (const { of, file, find, plant } of faults) {
    const pieces = readFileSync(path.join(root, file), "utf8").split(find);
    t.equal(pieces.length, 2, `${of}: ${find}`);
    t.not(find, plant);
  }
  t.end();
});

const all = process.env["CORTEXFS_SOAK"] === "1";
const sample = all ? faults : faults.filter((_, i) => i % Math.ceil(faults.length / 4) === 1);

t.test("the tests that ought to notice pass on the tree as it is", async (t) => {
  t.setTimeout(600_000);
  using plantation = new Plantation();
  for (const file of new Set(sample.map(({ caughtBy }) => caughtBy))) {
    t.equal(await plantation.complaint(file), undefined, file);
  }
});

t.test(`${String(sample.length)} of ${String(faults.length)} faults are caught when they are planted`, async (t) => {
  t.setTimeout(7_200_000);
  const queue = [...sample];
  const work = async (): Promise<void> => {
    using plantation = new Plantation();
    for (let fault = queue.shift(); fault !== undefined; fault = queue.shift()) {
      const verdict = await plantation.try(fault);
      const what = `${fault.of}: ${JSON.stringify(fault.find)} -> ${JSON.stringify(fault.plant)}`;
      if (verdict.kind === "caught") t.comment(`${what}\n    caught by ${fault.caughtBy}: ${verdict.test}`);
      if (verdict.kind === "broken") t.comment(verdict.output);
      t.equal(verdict.kind, "caught", what);
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, work));
});
