/**
 * Stands in for a pid 1: orphans become its children. It peeks at each end and reaps those that are not Node's, while
 * Node starts and waits for children of its own.
 */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { isSyscallError, setChildSubreaper, waitid } from "../../native/index.ts";
import { eventually, processStatus } from "./child.ts";

const ofNode = new Set<number>();
const nodeSaw: number[] = [];
const reaped: object[] = [];

function reapStrangers(): void {
  for (;;) {
    let end;
    try {
      end = waitid("any child", { peek: true });
    } catch (error) {
      if (isSyscallError(error, "ECHILD")) return;
      throw error;
    }
    // One of Node's is Node's to reap; its handler of the same signal does so, and others are seen at the next look.
    if (end === undefined || ofNode.has(end.pid)) return;
    const { pid, ...how } = waitid({ pid: end.pid }) ?? end;
    if (processStatus(pid, "State") !== undefined) throw new Error("it was not reaped");
    reaped.push(how);
  }
}

setChildSubreaper(true);
process.on("SIGCHLD", reapStrangers);
const looking = setInterval(reapStrangers, 10);

for (let index = 1; index <= 20; index++) {
  // Each child of Node leaves an orphan that outlives it a little.
  const child = spawn("/bin/sh", ["-c", `(sleep 0.0${String(index % 5)}; exit 77) & exit ${String(index)}`]);
  if (child.pid === undefined) throw new Error("not started");
  ofNode.add(child.pid);
  child.on("exit", (status) => {
    ofNode.delete(child.pid ?? 0);
    nodeSaw.push(status ?? -1);
  });
}
await eventually("every end", () => (nodeSaw.length === 20 && reaped.length === 20 ? true : undefined));
clearInterval(looking);
const zombies = readdirSync("/proc").filter(
  (name) =>
    processStatus(Number(name), "PPid") === String(process.pid) &&
    processStatus(Number(name), "State")?.startsWith("Z"),
);
console.log(JSON.stringify({ nodeSaw: nodeSaw.sort((a, b) => a - b), reaped, zombies: zombies.length }));
