import { constants } from "node:os";
import { getSystemErrorName } from "node:util";
import { createSocket, type SendError, type Socket } from "unix-dgram";
import type { Fd } from "../../native/index.ts";

export type DatagramOutcome =
  | "sent"
  /** The receiver's queue is full: it may go later. */
  | "full"
  | "too big"
  /** There is no receiver any more: a new socket may find one. */
  | "gone";

const { ECONNREFUSED, ECONNRESET, EMSGSIZE, ENOTCONN, EPIPE } = constants.errno;
/** What unix-dgram says for EAGAIN and ENOBUFS. */
const CONGESTION = 1;

/** A datagram could not be sent, or its receiver not be reached, and not because it is slow or gone. */
export class DatagramError extends Error {
  override readonly name = "DatagramError";

  /** `code`: a negated errno. */
  constructor(doing: string, code: number) {
    super(`${doing}: ${getSystemErrorName(code)}`);
  }
}

/**
 * A datagram socket connected to a path, which never blocks and never queues. It has no name of its own, so nobody can
 * send to it. Main thread only.
 */
export class Datagrams implements Disposable {
  readonly #socket: Socket;
  #closed = false;

  /** `path`: at most 107 bytes. Throws DatagramError. */
  constructor(path: string) {
    if (Buffer.byteLength(path) > 107 || path.includes("\0")) throw new RangeError(`no socket's path: ${path}`);
    this.#socket = createSocket("unix_dgram");
    let failure: SendError | undefined;
    this.#socket.on("error", (error) => {
      failure = error;
    });
    this.#socket.connect(path);
    if (failure !== undefined) {
      this[Symbol.dispose]();
      throw new DatagramError(`connect to ${path}`, failure.code);
    }
  }

  get fd(): Fd {
    if (this.#closed) throw new Error("datagram socket used after it was disposed");
    return this.#socket.fd as Fd;
  }

  send(bytes: Uint8Array): DatagramOutcome {
    if (this.#closed) throw new Error("datagram socket used after it was disposed");
    let failure: SendError | undefined;
    this.#socket.send(bytes, (error) => {
      failure = error;
    });
    if (failure === undefined) return "sent";
    switch (failure.code) {
      case CONGESTION:
        return "full";
      case -EMSGSIZE:
        return "too big";
      case -ECONNREFUSED:
      case -ECONNRESET:
      case -ENOTCONN:
      case -EPIPE:
        return "gone";
      default:
        throw new DatagramError("send", failure.code);
    }
  }

  [Symbol.dispose](): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#socket.close();
  }
}
