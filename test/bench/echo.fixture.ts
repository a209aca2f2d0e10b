/** The far end of the frame benchmark: echoes frames on the first path, bytes on the second. */
import { createServer } from "node:net";
import { accept, bind, listen, Readiness, refuseDescriptors, unixSocket } from "../../native/index.ts";
import { Connection } from "../../protocol/connection.ts";
import { Conversation } from "../../protocol/conversation.ts";
import { terminalBroker } from "../../protocol/terminal-broker.ts";

const [framed = "", bare = ""] = process.argv.slice(2);

const listener = unixSocket("stream");
refuseDescriptors(listener);
bind(listener, framed);
listen(listener, 1);
createServer((socket) => socket.pipe(socket)).listen(bare, () => process.send?.("listening"));

using readiness = new Readiness(listener);
await readiness.readable(Infinity);
const fd = accept(listener);
if (fd === undefined) throw new Error("nobody connected");
using connection = new Connection(fd);
const conversation = new Conversation(terminalBroker, connection);
for (;;) {
  const message = await conversation.receive("connecting", Infinity);
  if (message === "end") break;
  await conversation.send("connecting", message);
}
