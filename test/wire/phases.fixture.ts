/**
 * Serves every phase of every protocol on a Unix socket of its own, `<folder>/<protocol> <phase>`, to peers that send
 * anything at all. Of each it reads one frame, with what the daemons read with, and answers
 *
 *   a frame `{"outcome": …}`: "accepted", "end", or the kind of the fault, since several kinds share one code;
 *   a frame with the accepted message itself, or the error the fault is told with;
 *   whatever the peer sent behind its frame, byte for byte, until the peer ends its half.
 *
 * Its parent asks with any message over IPC what it holds.
 */
import { readdirSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { bind, listen, monotonicMillis, unixSocket } from "../../native/index.ts";
import { Budget } from "../../protocol/budget.ts";
import { Connection } from "../../protocol/connection.ts";
import { control } from "../../protocol/control.ts";
import type { Conversation } from "../../protocol/conversation.ts";
import type { Protocol } from "../../protocol/definition.ts";
import { Fault } from "../../protocol/fault.ts";
import { writeFrame } from "../../protocol/frame.ts";
import { terminalBroker } from "../../protocol/terminal-broker.ts";
import { openLog } from "../../services/frame/journal.ts";
import { conversing, Listener, type Handler } from "../../services/frame/listener.ts";

const folder = process.argv[2] ?? "";
const firstByteMillis = Number(process.argv[3]);

async function answer(conversation: Conversation<Protocol>, phase: string): Promise<void> {
  const report = (outcome: string): Promise<unknown> =>
    writeFrame(conversation.connection, { outcome }, conversation.protocol.limits);
  try {
    const message = await conversation.receive(phase, monotonicMillis() + firstByteMillis);
    if (message === "end") {
      await report("end");
      return;
    }
    await report("accepted");
    await conversation.send(phase, message);
  } catch (error) {
    if (error instanceof Fault) await report(error.kind);
    throw error;
  }
}

/** What is still in the socket is read from the descriptor that is handed on, as a daemon hands it on. */
async function echo(connection: Connection): Promise<void> {
  using stream = new Connection(connection.release());
  const bytes = Buffer.alloc(65_536);
  for (;;) {
    const deadline = monotonicMillis() + 5000;
    const count = await stream.readSome(bytes, 0, deadline);
    if (typeof count !== "number" || count === 0) return;
    if ((await stream.writeExact(bytes.subarray(0, count), deadline)) !== "written") return;
  }
}

function reader(protocol: Protocol, phase: string): Handler {
  const speak = conversing(protocol, (conversation) => answer(conversation, phase));
  return async (connection, peer, stopping) => {
    try {
      await speak(connection, peer, stopping);
    } finally {
      await echo(connection);
    }
  };
}

const { log } = openLog({ name: "wire" });
// It would say of a few dozen mutants what the judge says of them all.
log.level = "silent";
const connections = new Budget("connections", { total: 1024, perPayer: 1024 });

const listeners = Object.entries<Protocol>({ terminalBroker, control }).flatMap(([name, protocol]) =>
  Object.keys(protocol.phases).map((phase) => {
    const socket = unixSocket("stream");
    bind(socket, path.join(folder, `${name} ${phase}`));
    listen(socket, 512);
    return new Listener({ socket, connections, handle: reader(protocol, phase), log });
  }),
);

process.on("message", () => {
  void usage().then((usage) => process.send?.(usage));
});

async function usage(): Promise<{ descriptors: number; connections: number; heap: number }> {
  // What a collection finds dead is given back by finalizers, which run in a later turn.
  for (let round = 0; round < 5; round++) {
    globalThis.gc?.();
    await setTimeout(20);
  }
  const { heapUsed, external } = process.memoryUsage();
  return {
    // One of the entries is the descriptor that reads the folder.
    descriptors: readdirSync("/proc/self/fd").length - 1,
    connections: listeners.reduce((sum, { counters }) => sum + counters.live, connections.used),
    heap: heapUsed + external,
  };
}
