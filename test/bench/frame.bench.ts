/**
 * A frame there and back between two processes through `protocol/` (strict JSON and validators at both ends) against
 * the same bytes echoed over a bare net.Socket. Aim: at most 2 times.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect, unixSocket } from "../../native/index.ts";
import { Connection } from "../../protocol/connection.ts";
import { Conversation } from "../../protocol/conversation.ts";
import { encodeFrame } from "../../protocol/frame.ts";
import { terminalBroker } from "../../protocol/terminal-broker.ts";
import { interleave } from "./measure.ts";

const ROUNDS = 31;
const TRIPS = 2000;

type Echo = { readonly type: "error"; readonly code: "busy"; readonly message: string };

async function overProtocol(conversation: Conversation<typeof terminalBroker>, message: Echo): Promise<void> {
  for (let i = 0; i < TRIPS; i++) {
    await conversation.send("connecting", message);
    const answer = await conversation.receive("connecting", Infinity);
    if (answer === "end") throw new Error("the echo ended");
  }
}

async function overSocket(socket: Socket, bytes: Uint8Array): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let trips = 0;
  let received = 0;
  const onData = (data: Buffer): void => {
    received += data.length;
    if (received < bytes.length) return;
    received = 0;
    if (++trips === TRIPS) resolve(undefined);
    else socket.write(bytes);
  };
  socket.on("data", onData);
  socket.write(bytes);
  await promise;
  socket.off("data", onData);
}

export async function benchFrame(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "cortexfs-bench-"));
  const framed = path.join(folder, "framed.sock");
  const bare = path.join(folder, "bare.sock");
  const server: ChildProcess = fork(path.join(import.meta.dirname, "echo.fixture.ts"), [framed, bare]);
  try {
    await once(server, "message");
    const fd = unixSocket("stream");
    connect(fd, framed);
    using connection = new Connection(fd, { trusted: true });
    const conversation = new Conversation(terminalBroker, connection);
    const socket = createConnection(bare);
    await once(socket, "connect");
    // The length of most messages, and the longest text a broker's message may hold.
    for (const characters of [113, 512]) {
      const message: Echo = { type: "error", code: "busy", message: "x".repeat(characters) };
      const bytes = encodeFrame(message, terminalBroker.limits);
      const rows = await interleave(
        [
          { name: "protocol/", round: () => overProtocol(conversation, message) },
          { name: "net.Socket", round: () => overSocket(socket, bytes) },
        ],
        ROUNDS,
      );
      const peer = rows[1]?.median ?? NaN;
      for (const { name, median, low, high } of rows) {
        const trip = (milliseconds: number): string => ((milliseconds * 1000) / TRIPS).toFixed(1).padStart(7);
        console.log(
          `frame ${String(bytes.length).padStart(5)} B  ${name.padEnd(10)} ${trip(median)} us a trip` +
            ` (p10 ${trip(low)}, p90 ${trip(high)})  ratio ${(median / peer).toFixed(2)}`,
        );
      }
    }
    socket.destroy();
  } finally {
    server.kill();
    rmSync(folder, { recursive: true });
  }
}
