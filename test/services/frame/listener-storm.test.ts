import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import t from "tap";
import { monotonicMillis } from "../../../native/index.ts";
import { conversing, type Counters } from "../../../services/frame/listener.ts";
import { echo } from "./echo.ts";
import { settledDescriptors, temporaryFolder } from "./program.ts";
import { echoing, Server } from "./server.ts";

const connections = process.env["CORTEXFS_SOAK"] === "1" ? 10_000 : 1_000;
/** Until the compiler and the buffer pools have what they want to keep. */
const warmUp = connections / 2;
const clients = 4;
const folder = temporaryFolder(t);
t.setTimeout(300_000);

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

interface Seen {
  readonly answered: number;
  readonly broken: number;
  readonly killed: number;
  readonly lost: number;
}

async function storm(server: Server, count: number, seed: number): Promise<Seen> {
  const running = Array.from({ length: clients }, (_, client) =>
    server.clientAs(client % 2, "storm", String(count / clients), String(seed + client)),
  );
  const total = { answered: 0, broken: 0, killed: 0, lost: 0 };
  for (const client of running) {
    const { stdout, stderr } = await client.ended;
    if (stderr !== "") throw new Error(stderr);
    const seen = JSON.parse(stdout) as Seen;
    for (const key of ["answered", "broken", "killed", "lost"] as const) total[key] += seen[key];
  }
  const deadline = monotonicMillis() + 10_000;
  while (server.listener.counters.live > 0 && monotonicMillis() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return total;
}

interface Resources {
  readonly descriptors: number;
  readonly handles: string;
  readonly charged: number;
  readonly live: number;
}

async function resources(server: Server): Promise<Resources & { readonly heap: number }> {
  const descriptors = await settledDescriptors();
  for (let round = 0; round < 3; round++) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const handles = process.getActiveResourcesInfo().sort().join(" ");
  const { live }: Counters = server.listener.counters;
  return { descriptors, handles, charged: server.connections.used, live, heap: process.memoryUsage().heapUsed };
}

t.test(`${String(connections)} connections, a third of them broken off anywhere, leave nothing behind`, async (t) => {
  await using server = new Server(folder, conversing(echo, echoing), { total: 64, perPayer: 64 });
  await storm(server, warmUp, 1);
  const { heap: heapBefore, ...before } = await resources(server);
  const accepted = server.listener.counters.accepted;
  const start = monotonicMillis();

  const seen = await storm(server, connections, 1000);

  const took = monotonicMillis() - start;
  const { heap, ...after } = await resources(server);
  t.same(after, before);
  const grown = heap - heapBefore;
  t.ok(grown < 500_000, `the heap grew by ${String(grown)} bytes`);
  t.equal(server.listener.counters.accepted - accepted, connections);
  t.equal(seen.lost, 0, "everyone who kept to the protocol was answered");
  t.ok(seen.broken + seen.killed > connections / 4 && seen.killed > 0);
  t.ok(server.listener.counters.faults > 0);
  t.ok(server.entries.length <= 200, `${String(server.entries.length)} lines in the log`);
  t.comment(`the heap grew by ${String(grown)} bytes`);
  t.comment(`${JSON.stringify(seen)} in ${took.toFixed(0)} ms, ${JSON.stringify(server.listener.counters)}`);
});
