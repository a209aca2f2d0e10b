/** A listener in this process, whose clients are other programs. */
import path from "node:path";
import type { Fd } from "../../../native/index.ts";
import { Budget } from "../../../protocol/budget.ts";
import type { Conversation } from "../../../protocol/conversation.ts";
import { encodeFrame } from "../../../protocol/frame.ts";
import { conversing, Listener, type Handler } from "../../../services/frame/listener.ts";
import { echo } from "./echo.ts";
import { memoryLog, type Entry } from "./memory-log.ts";
import { asUser, fixture, listeningSocket, Program } from "./program.ts";

let count = 0;

/** Says everything back until the peer ends. */
export async function echoing(conversation: Conversation<typeof echo>): Promise<void> {
  for (;;) {
    const message = await conversation.receive("opened", Infinity);
    if (message === "end") return;
    await conversation.send("waiting", { type: "said", text: message.text });
  }
}

export class Server implements AsyncDisposable {
  readonly path: string;
  readonly listener: Listener;
  readonly entries: readonly Entry[];
  readonly connections: Budget;

  constructor(
    folder: string,
    handle: Handler = conversing(echo, echoing),
    limits = { total: 1000, perPayer: 1000 },
    socket: (socketPath: string) => Fd = listeningSocket,
  ) {
    this.path = path.join(folder, `${String(count++)}.sock`);
    const { log, entries } = memoryLog();
    this.entries = entries;
    this.connections = new Budget("connections", limits);
    this.listener = new Listener({
      socket: socket(this.path),
      connections: this.connections,
      handle,
      refuse: ({ message }) => encodeFrame({ type: "error", code: "busy", message }, echo.limits),
      log,
    });
  }

  client(kind: string, ...args: readonly string[]): Program {
    return new Program(fixture("client.py", [kind, this.path, ...args]));
  }

  clientAs(uid: number, kind: string, ...args: readonly string[]): Program {
    return new Program(asUser(uid, fixture("client.py", [kind, this.path, ...args])));
  }

  /** What a client that ends by itself printed. */
  async answer(kind: string, ...args: readonly string[]): Promise<unknown> {
    await using client = this.client(kind, ...args);
    const { stdout, stderr } = await client.ended;
    return stderr === "" ? (JSON.parse(stdout) as unknown) : stderr;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.listener.stop(0);
  }
}
