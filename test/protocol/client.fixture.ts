/** Connects to the socket of its argument and says whom it takes the server for. */
import { connect, unixSocket } from "../../native/index.ts";
import { refuseServerOtherThanRoot } from "../../protocol/peer.ts";

const fd = unixSocket("stream");
connect(fd, process.argv[2] ?? "");
console.log(refuseServerOtherThanRoot(fd)?.refused ?? "root");
