/**
 * Connects to the socket of its first argument and says so with a byte; for each byte it receives it then changes its
 * effective user to that of its second argument and answers one. It stays until it is killed or the socket ends.
 */
import { connect, Readiness, receive, send, unixSocket } from "../../native/index.ts";

const [path = "", user = ""] = process.argv.slice(2);
const fd = unixSocket("stream");
connect(fd, path);
send(fd, Buffer.from("c"));
const readiness = new Readiness(fd);
const byte = new Uint8Array(1);
while ((await readiness.readable(Infinity)) === "ready") {
  if (receive(fd, byte) === 0) break;
  process.seteuid?.(Number(user));
  send(fd, Buffer.from("u"));
}
