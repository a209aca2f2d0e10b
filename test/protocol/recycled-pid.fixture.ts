/**
 * Run as the first process of a pid namespace: a peer connects to the path of the argument and dies, another process
 * gets its pid, and only then is the peer looked at.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { accept, bind, close, listen, Readiness, unixSocket } from "../../native/index.ts";
import { PeerIdentity } from "../../protocol/peer.ts";

const [path = ""] = process.argv.slice(2);
const CONNECT = "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.recv(1)";

async function end(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

const listener = unixSocket("stream");
bind(listener, path);
listen(listener, 1);
using readiness = new Readiness(listener);

const peer = spawn("/usr/bin/python3", ["-c", CONNECT, path], { stdio: "ignore" });
const pid = peer.pid ?? 0;
await readiness.readable(Infinity);
const fd = accept(listener);
if (fd === undefined) throw new Error("nobody connected");
await end(peer);

let impostor: ChildProcess;
for (;;) {
  writeFileSync("/proc/sys/kernel/ns_last_pid", String(pid - 1));
  impostor = spawn("sleep", ["600"], { stdio: "ignore" });
  if (impostor.pid === pid) break;
  await end(impostor);
}
console.log(existsSync(`/proc/${String(pid)}/stat`) ? "somebody has the pid" : "nobody has the pid");

const before = readdirSync("/proc/self/fd").length;
const outcome = PeerIdentity.of(fd);
console.log("refused" in outcome ? `refused: ${outcome.refused}` : `taken for pid ${String(outcome.pid)}`);
console.log(readdirSync("/proc/self/fd").length === before ? "no descriptor more" : "a descriptor stayed open");
close(fd);
await end(impostor);
