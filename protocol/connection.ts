import { close, isSyscallError, OwnedFd, Readiness, receive, send, type Deadline, type Fd } from "../native/index.ts";

/** `end`: the peer closed or reset the stream. `closed`: this end disposed the connection meanwhile. */
export type ReadOutcome = "full" | "end" | "timeout" | "closed";
export type WriteOutcome = "written" | "end" | "timeout" | "closed";

/**
 * A connected stream socket that is read and written exactly: never a byte beyond what was asked for, so that what
 * follows a frame stays in the socket for whoever is handed the descriptor next. Descriptors a peer attaches are
 * dropped by the kernel. Owns the descriptor until `release`.
 */
export class Connection implements Disposable {
  readonly #owned: OwnedFd;
  readonly #readiness: Readiness;
  #closed = false;

  /** Takes the descriptor over, also when it throws. */
  constructor(fd: Fd) {
    try {
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
      if (count !== undefined) return count;
      const outcome = await this.#readiness.readable(deadline);
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
        continue;
      }
      const outcome = await this.#readiness.readable(deadline);
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
        continue;
      }
      const outcome = await this.#readiness.writable(deadline);
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
    this.#closed = true;
    this.#readiness[Symbol.dispose]();
    this.#owned[Symbol.dispose]();
  }

  #receive(bytes: Uint8Array, offset: number): number | undefined {
    try {
      return receive(this.fd, bytes, offset);
    } catch (error) {
      if (isSyscallError(error, "ECONNRESET")) return 0;
      throw error;
    }
  }

  #send(bytes: Uint8Array, offset: number): number | "end" | undefined {
    try {
      return send(this.fd, bytes, offset);
    } catch (error) {
      if (isSyscallError(error, "EPIPE", "ECONNRESET")) return "end";
      throw error;
    }
  }
}
