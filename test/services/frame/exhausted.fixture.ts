/** Serves the echo protocol at its argument after it has taken every descriptor; a line on stdin gives them back. */
import { openSync } from "node:fs";
import { createInterface } from "node:readline";
import { close, type Fd } from "../../../native/index.ts";
import { Budget } from "../../../protocol/budget.ts";
import { openLog } from "../../../services/frame/journal.ts";
import { conversing, Listener } from "../../../services/frame/listener.ts";
import { echo } from "./echo.ts";
import { listeningSocket } from "./program.ts";
import { echoing } from "./server.ts";

const { log } = openLog({ name: "exhausted", environment: {} });
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const listener = new Listener({
  socket: listeningSocket(process.argv[2] ?? ""),
  connections: new Budget("connections", { total: 10, perPayer: 10 }),
  handle: conversing(echo, echoing),
  log,
});
const taken: Fd[] = [];
try {
  for (;;) taken.push(openSync("/dev/null", "r") as Fd);
} catch {
  // EMFILE, as wanted.
}
const start = process.cpuUsage();
console.log("full");
await lines.next();
const { user, system } = process.cpuUsage(start);
for (const fd of taken) close(fd);
await lines.next();
await listener.stop(100);
console.log(JSON.stringify({ cpuMillis: (user + system) / 1000 }));
