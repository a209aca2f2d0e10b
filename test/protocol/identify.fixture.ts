/** Listens at the path of its argument and says who the first peer is. */
import { accept, bind, listen, Readiness, unixSocket } from "../../native/index.ts";
import { PeerIdentity } from "../../protocol/peer.ts";

const listener = unixSocket("stream");
bind(listener, process.argv[2] ?? "");
listen(listener, 1);
console.log("listening");
using readiness = new Readiness(listener);
await readiness.readable(Infinity);
const fd = accept(listener);
if (fd === undefined) throw new Error("nobody connected");
const peer = PeerIdentity.of(fd);
console.log("refused" in peer ? `refused: ${peer.refused}` : `uid ${String(peer.uid)} pid ${String(peer.pid)}`);
