import {
  close,
  closeElsewhere,
  isSyscallError,
  mayCarryDescriptors,
  OwnedFd,
  peek,
  Readiness,
  receive,
  send,
  type Deadline,
  type Fd,
} from "../native/index.ts";
import { Fault } from "./fault.ts";

/** `end`: the peer closed or reset the stream. `closed`: this end disposed the connection meanwhile. */
export type ReadOutcome = "full" | "end" | "timeout" | "closed";
export type WriteOutcome = "written" | "end" | "timeout" | "closed";

/** System calls in a row, and bytes, after which a connection that never had to wait lets everybody else have a turn. */
const CALLS_A_TURN = 16;
const BYTES_A_TURN = 65_536;

/**
 * A connected stream socket that is read and written exactly: never a byte beyond what was asked for, so that what
 * follows a frame stays in the socket for whoever is handed the descriptor next. Owns the descriptor until `release`.
 *
 * Descriptors a peer attaches never get in. A socket accepted from one that refuses them cannot carry any. Where that
 * cannot be known, each read looks first and throws Fault "malformed" when something is attached, and the socket is
 * closed by a thread of its own: see spec/framing.md.
 */
export class Connection implements Disposable, AsyncDisposable {
  readonly #owned: OwnedFd;
  readonly #readiness: Readiness;
  readonly #mayCarryDescriptors: boolean;
  #closed = false;
  #calls = 0;
  #bytes = 0;

  /**
   * Takes the descriptor over, also when it throws. `trusted`: the peer is root's server, of whom the client made sure; what
   * it attaches is what its protocol says, and it is not looked for.
   */
  constructor(fd: Fd, options: { readonly trusted?: boolean } = {}) {
    try {
      this.#mayCarryDescriptors = options.trusted !== true && mayCarryDescriptors(fd);
      this.#readiness = new Readiness(fd);
    } catch (error) {
      close(fd);
      throw error;
    }
    this.#owned = new OwnedFd(fd);
  }

  get fd(): Fd {
    return this.#owned.fd;
  }

  /** Reads at least one byte into `bytes` from `offset`; 0 is the end of the stream. */
  async readSome(bytes: Uint8Array, offset: number, deadline: Deadline): Promise<number | "timeout" | "closed"> {
    while (!this.#closed) {
      const count = this.#receive(bytes, offset);
      if (count !== undefined) {
        if (this.#hasHadItsTurn(count)) await this.#yield();
        return count;
      }
      const outcome = await this.#wait(this.#readiness.readable(deadline));
      if (outcome !== "ready") return outcome;
    }
    return "closed";
  }

  /** Fills `bytes` from `offset` to its end. */
  async readExact(bytes: Uint8Array, offset: number, deadline: Deadline): Promise<ReadOutcome> {
    while (offset < bytes.length) {
      if (this.#closed) return "closed";
      const count = this.#receive(bytes, offset);
      if (count === 0) return "end";
      if (count !== undefined) {
        offset += count;
        if (this.#hasHadItsTurn(count)) await this.#yield();
        continue;
      }
      const outcome = await this.#wait(this.#readiness.readable(deadline));
      if (outcome !== "ready") return outcome;
    }
    return "full";
  }

  /** Writes all of `bytes`. After anything but "written" an unknown part has gone: only closing is left. */
  async writeExact(bytes: Uint8Array, deadline: Deadline): Promise<WriteOutcome> {
    let offset = 0;
    while (offset < bytes.length) {
      if (this.#closed) return "closed";
      const count = this.#send(bytes, offset);
      if (count === "end") return "end";
      if (count !== undefined) {
        offset += count;
        if (this.#hasHadItsTurn(count)) await this.#yield();
        continue;
      }
      const outcome = await this.#wait(this.#readiness.writable(deadline));
      if (outcome !== "ready") return outcome;
    }
    return "written";
  }

  /** Gives the descriptor up, still open and without a byte of it buffered here. */
  release(): Fd {
    this.#closed = true;
    this.#readiness[Symbol.dispose]();
    return this.#owned.release();
  }

  /** Whoever reads or writes, now or later, is told "closed". */
  [Symbol.dispose](): void {
    void this[Symbol.asyncDispose]();
  }

  /** Resolves when the kernel has let go of the socket and all that was in it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#readiness[Symbol.dispose]();
    const fd = this.#owned.take();
    if (fd === undefined) return;
    if (this.#mayCarryDescriptors) await discard(fd);
    else close(fd);
  }

  #receive(bytes: Uint8Array, offset: number): number | undefined {
    try {
      return this.#mayCarryDescriptors ? this.#lookAndReceive(bytes, offset) : receive(this.fd, bytes, offset);
    } catch (error) {
      if (isSyscallError(error, "ECONNRESET")) return 0;
      throw error;
    }
  }

  /** Takes only what was looked at: a peer may have sent more meanwhile. */
  #lookAndReceive(bytes: Uint8Array, offset: number): number | undefined {
    const next = peek(this.fd, bytes, offset, bytes.length - offset);
    if (next === undefined) return undefined;
    if (next.attached) throw new Fault("malformed", "a descriptor is attached where none is expected");
    return next.length === 0 ? 0 : receive(this.fd, bytes, offset, next.length);
  }

  #send(bytes: Uint8Array, offset: number): number | "end" | undefined {
    try {
      return send(this.fd, bytes, offset);
    } catch (error) {
      if (isSyscallError(error, "EPIPE", "ECONNRESET")) return "end";
      throw error;
    }
  }

  #wait<T>(outcome: Promise<T>): Promise<T> {
    this.#calls = this.#bytes = 0;
    return outcome;
  }

  /** A peer that always has something ready would else keep the event loop for itself: promises are not turns. */
  #hasHadItsTurn(count: number): boolean {
    this.#bytes += count;
    return ++this.#calls >= CALLS_A_TURN || this.#bytes >= BYTES_A_TURN;
  }

  #yield(): Promise<void> {
    return this.#wait(new Promise((resolve) => setImmediate(resolve)));
  }
}

/**
 * Closes a socket without waiting in this thread for what may be in its queue, and resolves when it is closed: dropping
 * the last reference of a TCP socket that lingers takes as long as whoever sent it likes.
 */
export async function discard(fd: Fd): Promise<void> {
  if (!mayCarryDescriptors(fd)) {
    close(fd);
    return;
  }
  using done = new OwnedFd(closeElsewhere(fd));
  using readiness = new Readiness(done.fd);
  await readiness.readable(Infinity);
}
