import os from "node:os";
import { fuseExchange, monotonicMillis, Readiness } from "../../../native/index.ts";
import { Arena, halfEnd, halfStart, hasRoom, REPLY_AT } from "./arena.ts";
import { IN_HEADER_SIZE, UNIQUE_RESEND_HIGH } from "./constants.ts";
import { INTERRUPT } from "./opcode.ts";
import { WireReply } from "./reply.ts";
import { DecodedRequest } from "./request.ts";
import type { Session } from "./session.ts";

const { ECONNABORTED, ENODEV } = os.constants.errno;
/** An answer of `fuseExchange` below this is the errno of a refused reply. */
const REFUSED = -4096;
/** Requests that are read before any of them is served, and those of one connection among them. */
const ROOM = 64;
const MOST_OF_ONE = 16;
/** How long this thread looks again for a next request before it goes back to epoll: a client answers that fast. */
const SPIN_MICROS = 40;
/** A connection that had nothing so often, while others had, waits in epoll again. */
const MISSES = 16;
/** The event loop gets its turn at least that often. */
const TURN_MILLIS = 2;

/** A connection at the table. */
class Seat {
  readonly session: Session;
  readonly readiness: Readiness;
  isActive = false;
  isGone = false;
  misses = 0;

  constructor(session: Session) {
    this.session = session;
    this.readiness = new Readiness(session.fd);
  }
}

/**
 * Serves all connections of a thread. Requests are read in batches; a batch is served in rounds, in each of which every
 * pair of a connection and a uid has one, so that whoever asks for much waits for whoever asks for little. The last reply of
 * a batch and the read of the next are one system call; a lone request is a batch of one.
 *
 * Serving a request makes no object. Waiting does, once: only a connection that has been idle waits.
 */
export class Turns implements Disposable {
  readonly #arena = new Arena();
  readonly #request = new DecodedRequest(this.#arena);
  readonly #reply = new WireReply(this.#arena);
  readonly #seats = new Map<Session, Seat>();
  /** Connections that may have a request now. */
  readonly #active: Seat[] = [];
  #first = 0;

  // the batch: slot i holds a request at #at[i]
  #half: 0 | 1 = 0;
  #end = halfStart(0);
  #count = 0;
  #served = 0;
  readonly #at = new Int32Array(ROOM);
  readonly #round = new Int32Array(ROOM);
  readonly #isInterrupted = new Uint8Array(ROOM);
  readonly #seatOf: (Seat | undefined)[] = new Array<Seat | undefined>(ROOM).fill(undefined);
  #currentRound = 0;
  #cursor = 0;
  #isScheduled = false;
  #isRunning = false;

  /** Serves the session from now on, until its connection is over. EPERM for a descriptor that cannot be polled. */
  add(session: Session): void {
    if (this.#seats.has(session)) throw new Error("turns: the session is served already");
    const seat = new Seat(session);
    this.#seats.set(session, seat);
    this.#activate(seat);
    this.#schedule();
  }

  /** Serves it no more and leaves its descriptor open. What was read of it and not answered is asked for again by `resend`. */
  remove(session: Session): void {
    const seat = this.#seats.get(session);
    if (seat !== undefined) this.#take(seat);
  }

  [Symbol.dispose](): void {
    for (const session of [...this.#seats.keys()]) this.remove(session);
  }

  #activate(seat: Seat): void {
    if (seat.isActive || seat.isGone) return;
    seat.isActive = true;
    seat.misses = 0;
    this.#active.push(seat);
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isRunning) return;
    this.#isScheduled = true;
    setImmediate(this.#run);
  }

  readonly #run = (): void => {
    this.#isScheduled = false;
    this.#isRunning = true;
    const deadline = monotonicMillis() + TURN_MILLIS;
    let isDone = false;
    try {
      while (!isDone && monotonicMillis() < deadline) {
        if (this.#served < this.#count) this.#serveNext();
        else isDone = !this.#gather();
      }
    } finally {
      this.#isRunning = false;
    }
    if (!isDone) this.#schedule();
  };

  /** A batch of whatever is there; false when nothing is, and then every connection waits. */
  #gather(): boolean {
    this.#startBatch();
    // A lone connection that had nothing after its last reply has been looked at long enough.
    if (this.#active.length === 1 && this.#active[0]?.misses === 1) {
      this.#idle(this.#active[0]);
      return false;
    }
    if (this.#active.length === 0) return false;
    this.#readFromOthers(undefined, 0);
    if (this.#count > 0) return true;
    this.#readFromOthers(undefined, SPIN_MICROS / this.#active.length);
    if (this.#count > 0) return true;
    while (this.#active.length > 0) this.#idle(this.#active[0] as Seat);
    return false;
  }

  #startBatch(): void {
    this.#half = this.#half === 0 ? 1 : 0;
    this.#end = halfStart(this.#half);
    this.#seatOf.fill(undefined, 0, this.#count);
    this.#count = 0;
    this.#served = 0;
    this.#currentRound = 0;
    this.#cursor = 0;
  }

  /** From another one first each time: the batch may be full before all were asked. */
  #readFromOthers(but: Seat | undefined, spinMicros: number): void {
    const active = this.#active;
    this.#first = (this.#first + 1) & 0xffff;
    // From the end to the beginning: one that ends or goes idle is taken out on the way.
    for (let left = active.length; left > 0 && this.#most() > 0; left--) {
      const seat = active[(this.#first + left) % active.length];
      if (seat === undefined) return;
      if (seat === but) continue;
      this.#exchange(seat, 0, this.#most(), Math.floor(spinMicros));
      if (but !== undefined && seat.misses > MISSES) this.#idle(seat);
    }
  }

  /** How many requests may be read now. */
  #most(): number {
    return hasRoom(this.#half, this.#end) ? Math.min(MOST_OF_ONE, ROOM - this.#count) : 0;
  }

  #serveNext(): void {
    const slot = this.#nextSlot();
    const seat = this.#seatOf[slot];
    this.#served++;
    const isLast = this.#served === this.#count;
    if (seat === undefined || seat.isGone) return;
    const request = this.#request;
    const at = this.#at[slot] as number;
    const isInterrupted = this.#isInterrupted[slot] === 1;
    const length = seat.session.serve(request, this.#reply, at, isInterrupted);
    // The request stays where it is for `answered`: what is read next goes to the other half.
    if (isLast) this.#startBatch();
    if (seat.session.hasEnded) return;
    // It may have been removed by what it asked for, and is answered all the same.
    const isRead = isLast && !seat.isGone;
    if (length > 0 || isRead) {
      const isAlone = this.#active.length === 1;
      this.#exchange(seat, length, isRead ? this.#most() : 0, isRead && isAlone ? SPIN_MICROS : 0);
    }
    if (length > 0) seat.session.answered(request);
    if (isLast && this.#active.length > 1) this.#readFromOthers(seat, 0);
  }

  #nextSlot(): number {
    for (;;) {
      while (this.#cursor < this.#count) {
        const slot = this.#cursor++;
        if (this.#round[slot] === this.#currentRound) return slot;
      }
      this.#cursor = 0;
      this.#currentRound++;
    }
  }

  /** Sends the reply, if there is one, and reads up to `most` requests into the batch. */
  #exchange(seat: Seat, replyLength: number, most: number, spinMicros: number): void {
    const { session } = seat;
    const view = this.#arena.view(this.#half);
    const at = this.#end;
    // No request is that short: should what is read be less than a header, it is not taken for an old one.
    if (most > 0) this.#arena.words[at >>> 2] = 0;
    let count = fuseExchange(session.fd, view, REPLY_AT, replyLength, at, most, spinMicros);
    if (count <= REFUSED) {
      session.refused(REFUSED - count, this.#request.uniqueLow, this.#request.uniqueHigh);
      count = fuseExchange(session.fd, view, REPLY_AT, 0, at, most, 0);
    }
    if (count < 0) {
      if (count !== -ENODEV && count !== -ECONNABORTED) session.warn(`read failed with errno ${String(-count)}`);
      this.#over(seat);
    } else if (most > 0) {
      seat.misses = count === 0 ? seat.misses + 1 : 0;
      this.#enqueue(seat, count);
    }
  }

  #enqueue(seat: Seat, count: number): void {
    const { words } = this.#arena;
    for (let index = 0; index < count; index++) {
      const at = this.#end;
      const length = words[at >>> 2] as number;
      if (length < IN_HEADER_SIZE || length > halfEnd(this.#half) - at) {
        // Where the next one begins is not known either. No kernel does this.
        seat.session.warn(`a request of ${String(length)} bytes`);
        return;
      }
      const slot = this.#count++;
      this.#at[slot] = at;
      this.#seatOf[slot] = seat;
      this.#isInterrupted[slot] = 0;
      this.#round[slot] = this.#earlierOfSame(slot);
      if (words[(at >>> 2) + 1] === INTERRUPT && length >= IN_HEADER_SIZE + 8) this.#interruptWaiting(slot);
      this.#end = (at + length + 7) & ~7;
    }
  }

  /** How many requests of the same connection and uid are in the batch before this one. */
  #earlierOfSame(slot: number): number {
    const { words } = this.#arena;
    const uid = words[((this.#at[slot] as number) >>> 2) + 6];
    let count = 0;
    for (let other = 0; other < slot; other++) {
      if (this.#seatOf[other] !== this.#seatOf[slot]) continue;
      if (words[((this.#at[other] as number) >>> 2) + 6] === uid) count++;
    }
    return count;
  }

  /** An INTERRUPT is in `slot`: marks the request of the batch that it is for. One that is being answered later is the session's. */
  #interruptWaiting(slot: number): void {
    const { words } = this.#arena;
    const body = ((this.#at[slot] as number) + IN_HEADER_SIZE) >>> 2;
    for (let other = 0; other < slot; other++) {
      const w = (this.#at[other] as number) >>> 2;
      if (this.#seatOf[other] !== this.#seatOf[slot] || words[w + 2] !== words[body]) continue;
      if ((((words[w + 3] as number) ^ (words[body + 1] as number)) & ~UNIQUE_RESEND_HIGH) === 0) {
        this.#isInterrupted[other] = 1;
      }
    }
  }

  #idle(seat: Seat): void {
    this.#deactivate(seat);
    void seat.readiness.readable(Infinity).then((outcome) => {
      if (outcome === "closed") return;
      this.#activate(seat);
      if (!this.#isScheduled && !this.#isRunning) this.#run();
    });
  }

  #deactivate(seat: Seat): void {
    const index = this.#active.indexOf(seat);
    if (index !== -1) this.#active.splice(index, 1);
    seat.isActive = false;
  }

  #take(seat: Seat): void {
    seat.isGone = true;
    this.#deactivate(seat);
    this.#seats.delete(seat.session);
    seat.readiness[Symbol.dispose]();
  }

  #over(seat: Seat): void {
    if (seat.isGone) return;
    this.#take(seat);
    seat.session.end().catch((error: unknown) => {
      seat.session.warn(`its end failed: ${String(error)}`);
    });
  }
}
