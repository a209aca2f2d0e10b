import { setTimeout as delay } from "node:timers/promises";
import { accept, isSyscallError, OwnedFd, Readiness, refuseDescriptors, send, type Fd } from "../../native/index.ts";
import { isExhausted, type Budget, type Exhausted } from "../../protocol/budget.ts";
import { Connection, discard } from "../../protocol/connection.ts";
import { Conversation } from "../../protocol/conversation.ts";
import type { Protocol } from "../../protocol/definition.ts";
import { Fault } from "../../protocol/fault.ts";
import { PeerIdentity } from "../../protocol/peer.ts";
import type { Log } from "./journal.ts";
import { LogAllowance } from "./log-allowance.ts";

/**
 * Serves one connection until it is done with it. The connection, the identity and the charge are disposed when it
 * returns or throws; to keep a descriptor longer it takes it with `connection.release()`. It throws Fault when the peer
 * broke the protocol; whatever else it throws is a bug and ends the process. `stopping` is aborted when the service is
 * about to end: a handler whose peer may be idle for ever should then return, for instance by disposing the connection,
 * which ends a read that waits.
 */
export type Handler = (connection: Connection, peer: PeerIdentity, stopping: AbortSignal) => Promise<void>;

export interface ListenerOptions {
  /** A listening stream socket, from now on the listener's to close. */
  readonly socket: Fd;
  /** One is charged for each connection, to `PeerIdentity.payer`. */
  readonly connections: Budget;
  readonly handle: Handler;
  /** What a peer is told whom the budget has no room for; without it the connection is just closed. */
  readonly refuse?: (exhausted: Exhausted) => Uint8Array;
  readonly log: Log;
}

export interface Counters {
  /** Connections the kernel gave, whatever became of them. */
  readonly accepted: number;
  /** Closed because the peer's identity could not be learnt. */
  readonly unidentified: number;
  /** Closed because the budget had no room. */
  readonly refused: number;
  /** Closed because the peer broke the protocol. */
  readonly faults: number;
  /** Open now. */
  readonly live: number;
}

/** What passes when something was given back, as accept(2) lists it. */
const NO_ROOM = ["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"];
/** How long accepting rests when no descriptor is free: one may be when a connection has ended. */
const NO_ROOM_MILLIS = 100;
/** Peers that were turned away and whose sockets take their time to close: above it nobody is accepted. */
const MOST_LEAVING = 256;
/** Connections accepted before others have their turn: the event loop serves everybody between two batches. */
const BATCH = 16;

/** A handler of framed messages: the peer is told of its fault, as far as it still listens, before all is closed. */
export function conversing<P extends Protocol>(
  protocol: P,
  handle: (conversation: Conversation<P>, peer: PeerIdentity, stopping: AbortSignal) => Promise<void>,
): Handler {
  return async (connection, peer, stopping) => {
    const conversation = new Conversation(protocol, connection);
    try {
      await handle(conversation, peer, stopping);
    } catch (error) {
      if (error instanceof Fault) await conversation.sendFault(error);
      throw error;
    }
  };
}

/** One connection, from accept until its handler has ended. */
interface Session {
  connection?: Connection;
  readonly stopping: AbortController;
  /** The listener has taken the connection away: what the handler throws from now on is no bug of its own. */
  abandoned: boolean;
}

/**
 * Accepts connections from construction on until `stop`. Identity comes first, then the charge, then the handler: no
 * byte of a peer is read before it is known and has paid.
 *
 * Invariant: every accepted descriptor is in exactly one session, and a session ends with nothing of it left open.
 */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #socket: OwnedFd;
  readonly #readiness: Readiness;
  readonly #sessions = new Set<Session>();
  readonly #logAllowance = new LogAllowance();
  readonly #accepting: Promise<void>;
  readonly #counters = { accepted: 0, unidentified: 0, refused: 0, faults: 0 };
  /** Said already that there is no room, and not yet that there is again. */
  #isResting = false;
  #whenEmpty: (() => void) | undefined;
  /** Sockets of peers that were turned away and that the kernel has not let go of. */
  #leaving = 0;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#socket = new OwnedFd(options.socket);
    refuseDescriptors(options.socket);
    this.#readiness = new Readiness(options.socket);
    this.#accepting = this.#acceptAll();
  }

  get counters(): Counters {
    return { ...this.#counters, live: this.#sessions.size };
  }

  /**
   * Accepts nobody any more and closes the listening socket, aborts every handler's `stopping`, and resolves when all
   * handlers have ended. After `graceMillis` the connections that are left are disposed and it resolves all the same.
   */
  async stop(graceMillis: number): Promise<void> {
    this.#readiness[Symbol.dispose]();
    await this.#accepting;
    this.#socket[Symbol.dispose]();

    for (const session of this.#sessions) session.stopping.abort();
    if (this.#sessions.size > 0) await this.#emptyWithin(graceMillis);
    if (this.#sessions.size === 0) return;
    this.#options.log.warn({ live: this.#sessions.size }, "connections were still open when the grace time ended");
    for (const session of this.#sessions) {
      session.abandoned = true;
      session.connection?.[Symbol.dispose]();
    }
  }

  #emptyWithin(graceMillis: number): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers();
    const grace = setTimeout(resolve, graceMillis);
    this.#whenEmpty = () => {
      clearTimeout(grace);
      resolve(undefined);
    };
    return promise;
  }

  async #acceptAll(): Promise<void> {
    while ((await this.#readiness.readable(Infinity)) === "ready") {
      if (this.#acceptBatch() === "no room") await delay(NO_ROOM_MILLIS);
    }
  }

  #acceptBatch(): "done" | "no room" {
    for (let count = 0; count < BATCH; count++) {
      if (this.#leaving >= MOST_LEAVING) return "no room";
      let fd;
      try {
        fd = accept(this.#socket.fd);
      } catch (error) {
        if (isSyscallError(error, "ECONNABORTED")) continue;
        if (!isSyscallError(error, ...NO_ROOM)) throw error;
        this.#rest(error);
        return "no room";
      }
      if (fd === undefined) return "done";
      this.#work();
      this.#counters.accepted++;
      // Not awaited: what it throws is a bug, and an unhandled rejection ends the process.
      void this.#serve(fd);
    }
    return "done";
  }

  #rest(because: Error): void {
    const { log } = this.#options;
    if (!this.#isResting) log.error({ err: because }, "no descriptor or memory is free: new connections have to wait");
    this.#isResting = true;
  }

  #work(): void {
    if (this.#isResting) this.#options.log.info("connections are accepted again");
    this.#isResting = false;
  }

  async #serve(fd: Fd): Promise<void> {
    const session: Session = { stopping: new AbortController(), abandoned: false };
    this.#sessions.add(session);
    try {
      await this.#admit(fd, session);
    } finally {
      this.#sessions.delete(session);
      if (this.#sessions.size === 0) this.#whenEmpty?.();
    }
  }

  /** Disposed in the reverse of this order: the connection, the charge, the identity. */
  async #admit(fd: Fd, session: Session): Promise<void> {
    const identity = PeerIdentity.of(fd);
    if ("refused" in identity) {
      this.#counters.unidentified++;
      this.#say(undefined, { reason: identity.refused }, "a peer whose identity is unknown was refused");
      await this.#turnAway(fd);
      return;
    }
    using peer = identity;
    const charge = this.#options.connections.charge(peer.payer);
    if (isExhausted(charge)) {
      this.#counters.refused++;
      this.#tell(fd, charge);
      this.#say(peer, { limit: charge.limit }, `a connection was refused: ${charge.message}`);
      await this.#turnAway(fd);
      return;
    }
    using _charge = charge;
    await using connection = new Connection(fd);
    session.connection = connection;
    try {
      await this.#options.handle(connection, peer, session.stopping.signal);
    } catch (error) {
      if (session.abandoned) {
        this.#options.log.warn({ err: error }, "a handler failed after its connection was taken away");
      } else if (error instanceof Fault) {
        this.#counters.faults++;
        this.#say(peer, { fault: error.kind }, `a peer broke the protocol: ${error.message}`);
      } else {
        throw error;
      }
    }
  }

  /** Nobody has paid for it, so how many of these may take their time is bounded by not accepting any more. */
  async #turnAway(fd: Fd): Promise<void> {
    this.#leaving++;
    await discard(fd);
    this.#leaving--;
  }

  /** Whether it arrives is the peer's luck: nobody waits for one who is refused. */
  #tell(fd: Fd, exhausted: Exhausted): void {
    const frame = this.#options.refuse?.(exhausted);
    if (frame === undefined) return;
    try {
      send(fd, frame);
    } catch (error) {
      if (!isSyscallError(error, "EPIPE", "ECONNRESET")) throw error;
    }
  }

  #say(peer: PeerIdentity | undefined, fields: Readonly<Record<string, string>>, sentence: string): void {
    const heldBack = this.#logAllowance.take(peer?.payer);
    if (heldBack === undefined) return;
    const who = peer && { uid: peer.uid, pid: peer.pid, payer: peer.payer, agentUnit: peer.agentUnit };
    this.#options.log.info({ ...who, ...fields, ...(heldBack > 0 && { heldBack }) }, sentence);
  }
}
