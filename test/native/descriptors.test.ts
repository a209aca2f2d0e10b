/**
 * Whoever leaks one descriptor a request ends a daemon. Every function of the addon, where it succeeds and where it
 * fails, is called many times in a process of its own, which must then have the descriptors it had before.
 */
import t from "tap";
import * as native from "../../native/index.ts";
import { fixture, run } from "./child.ts";

interface Count {
  readonly name: string;
  readonly rounds: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

async function counts(share: string): Promise<Count[]> {
  const command = fixture("descriptors.fixture.ts", [share]);
  const end = await run(["unshare", "--mount", "--propagation", "private", "--", ...command]);
  if (end.status !== 0) throw new Error(`${String(end.signal)} ${end.stderr}`);
  return end.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Count);
}

// Processes take the longest to start, so those rounds run beside all others.
const all = (await Promise.all(["processes", "others"].map(counts))).flat();

t.test("every exported function has its rounds", (t) => {
  const functions = Object.entries(native).flatMap(([name, value]) => (typeof value === "function" ? [name] : []));
  t.strictSame(all.map(({ name }) => name).sort(), functions.sort());
  t.end();
});

for (const { name, rounds, before, after } of all) {
  t.test(`${String(rounds)} rounds of ${name} leave the descriptors as they were`, (t) => {
    t.ok(rounds >= 100);
    t.strictSame(after, before);
    t.end();
  });
}
