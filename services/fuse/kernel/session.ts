import os from "node:os";
import { close, type Fd, fuseWrite } from "../../../native/index.ts";
import { PAYLOAD_ROOM } from "./arena.ts";
import type { Agreement } from "./connection.ts";
import { HAS_RESEND, OUT_HEADER_SIZE, UNIQUE_RESEND_HIGH } from "./constants.ts";
import { type Answer, type FileSystem, LATER, type Later } from "./filesystem.ts";
import { negotiate, offerOf, putAgreement } from "./negotiation.ts";
import { Notifications } from "./notification.ts";
import { BATCH_FORGET, DESTROY, fits, FORGET, INIT, INTERRUPT, type Operation, OPERATIONS } from "./opcode.ts";
import { printLater, printReply, printRequest } from "./print.ts";
import { ERRNO_END, type WireReply } from "./reply.ts";
import type { DecodedRequest, Requester } from "./request.ts";

const { EINTR, EINVAL, EIO, ENODEV, ENOENT, ENOSYS, EPROTO } = os.constants.errno;
const TWO_TO_32 = 4_294_967_296;
/** What no method answers: this request gets no reply at all. */
const SILENT = LATER - 1;
const FORGET_ONE_SIZE = 16;

export interface SessionOptions {
  /** Of this server's own counter, at least 1. */
  readonly id: number;
  /** An open `/dev/fuse` that is mounted. It is the session's, which closes it when the connection is over. */
  readonly fd: Fd;
  readonly fileSystem: FileSystem;
  /** What a server before this one agreed on: no INIT will come. */
  readonly agreement?: Agreement | undefined;
  /** Called before INIT is answered: whoever takes over needs it. */
  readonly agreed?: (agreement: Agreement) => void;
  /** A fault of this server, or a kernel that says what it should not. One line, without names of files. */
  readonly warn: (line: string) => void;
  /** Each request and each reply as one line. */
  readonly trace?: ((line: string) => void) | undefined;
}

/**
 * One connection to a kernel: takes a request that lies in the arena, has the method of its opcode called, and leaves the
 * reply in the arena. Reading and writing of the descriptor is `Turns`' part, except for what is answered later.
 *
 * Every request that the kernel waits for is answered exactly once: a malformed one with EINVAL, one whose method throws or
 * answers what cannot be sent with EIO, one of an unknown opcode with ENOSYS.
 */
export class Session implements Requester {
  readonly id: number;
  readonly fd: Fd;
  readonly #options: SessionOptions;
  readonly #notifications: Notifications;
  readonly #promised = new Map<number, PromisedAnswer>();
  #agreement: Agreement | undefined;
  #hasEnded = false;

  constructor(options: SessionOptions) {
    this.id = options.id;
    this.fd = options.fd;
    this.#options = options;
    this.#agreement = options.agreement;
    this.#notifications = new Notifications(options.fd, (errno) => {
      if (errno !== ENODEV) this.warn(`a notification was refused with errno ${String(errno)}`);
    });
  }

  get agreement(): Agreement | undefined {
    return this.#agreement;
  }

  get isUncached(): boolean {
    return this.#notifications.hasOverflowed;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  invalidate(node: number, name?: Buffer): void {
    // A kernel that has not said INIT has asked for nothing that it could remember.
    if (this.#agreement !== undefined) this.#notifications.invalidate(node, name);
  }

  /**
   * Asks for all requests again that a server before this one has read and not answered. False when the kernel cannot
   * (before 7.40): then whoever waits for them does so until the connection is aborted.
   */
  resend(): boolean {
    if (((this.#agreement?.flags2 ?? 0) & HAS_RESEND) === 0) return false;
    this.#notifications.resend();
    return true;
  }

  /**
   * Serves the request at `at` of the arena, whose length the caller has compared with what was read (at least 40 bytes).
   * Answers the length of the reply that is in the arena now, or 0 when there is none to send. `isInterrupted`: an INTERRUPT
   * for it has come already.
   */
  serve(request: DecodedRequest, reply: WireReply, at: number, isInterrupted: boolean): number {
    const malformed = request.header(this, at);
    const operation = OPERATIONS[request.opcode];
    const refusal = malformed < 0 ? malformed : layoutRefusal(operation, request);
    this.#options.trace?.(printRequest(operation, request, refusal));
    const answer =
      refusal < 0 ? this.#refuse(operation, refusal) : this.#answer(operation, request, reply, isInterrupted);
    if (answer === SILENT) return 0;
    this.#options.trace?.(printReply(operation, request, answer));
    if (answer !== LATER) return reply.finish(request.uniqueLow, request.uniqueHigh, answer);
    if (isInterrupted) this.interrupt(request.unique);
    return 0;
  }

  /** After the reply that `serve` left was written. */
  answered(request: DecodedRequest): void {
    if (OPERATIONS[request.opcode]?.method === undefined) return;
    try {
      this.#options.fileSystem.answered(request);
    } catch (error) {
      this.#warnOf("answered", error);
    }
  }

  /** The kernel did not take a reply. It may still be waiting, and can be told this much. */
  refused(errno: number, uniqueLow: number, uniqueHigh: number): void {
    if (errno === ENODEV) return;
    this.warn(`a reply was refused with errno ${String(errno)}`);
    this.#write(encode(uniqueLow, uniqueHigh, -EIO));
  }

  warn(line: string): void {
    this.#options.warn(`connection ${String(this.id)}: ${line}`);
  }

  later(request: DecodedRequest, onInterrupt: (() => void) | undefined): Later {
    const { unique, uniqueLow, uniqueHigh } = request;
    const isInterruptible = OPERATIONS[request.opcode]?.isInterruptible === true;
    const promised = new PromisedAnswer(this, unique, {
      // Without a word of how to stop, what may be interrupted is told so and its answer dropped when it comes.
      interrupted: onInterrupt ?? (isInterruptible ? () => void promised.finish(-EINTR) : undefined),
      send: (answer) => {
        this.#promised.delete(unique);
        return this.#sendLater(unique, uniqueLow, uniqueHigh, answer);
      },
    });
    this.#promised.set(unique, promised);
    return promised;
  }

  /** An INTERRUPT came for this request: ignored unless it is one that is answered later. */
  interrupt(unique: number): void {
    try {
      this.#promised.get(unique)?.interrupt();
    } catch (error) {
      this.#warnOf("an interrupt", error);
    }
  }

  /** The connection is over. Settles when the descriptor is closed, which a notification being written may delay. */
  async end(): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const promised of this.#promised.values()) promised.withdraw();
    this.#promised.clear();
    const quiet = this.#notifications.close();
    this.#options.fileSystem.ended(this);
    await quiet;
    close(this.fd);
  }

  #answer(operation: Operation | undefined, request: DecodedRequest, reply: WireReply, isInterrupted: boolean): Answer {
    switch (request.opcode) {
      case INIT:
        return this.#init(request, reply);
      case FORGET:
        this.#forget(request.node, request.long(request.body >>> 2));
        return SILENT;
      case BATCH_FORGET:
        this.#forgetAll(request);
        return SILENT;
      case INTERRUPT: {
        const w = request.body >>> 2;
        this.interrupt((request.word(w + 1) & ~UNIQUE_RESEND_HIGH) * TWO_TO_32 + request.word(w));
        return SILENT;
      }
      case DESTROY:
        return 0;
    }
    if (operation?.reply === "unanswered") return SILENT;
    if (operation?.method === undefined) return -ENOSYS;
    if (this.#agreement === undefined) return -EIO;
    if (isInterrupted && operation.isInterruptible) return -EINTR;
    return this.#call(operation, operation.method, request, reply);
  }

  #call(
    operation: Operation,
    method: NonNullable<Operation["method"]>,
    request: DecodedRequest,
    reply: WireReply,
  ): Answer {
    let answer: Answer;
    try {
      answer = method(this.#options.fileSystem, request, reply);
    } catch (error) {
      this.#warnOf(operation.name, error);
      answer = -EIO;
    }
    const { promised } = request;
    if (answer === LATER && promised !== undefined) return LATER;
    // It is answered now, so what was promised for later must not be sent too.
    if (promised !== undefined) {
      this.#promised.get(request.unique)?.withdraw();
      this.#promised.delete(request.unique);
    }
    if (isErrno(answer)) return answer;
    if (Number.isInteger(answer) && answer >= 0 && answer <= PAYLOAD_ROOM && fits(operation, request, answer)) {
      return answer;
    }
    this.warn(`${operation.name} was answered with ${String(answer)}, which is no answer to it`);
    return -EIO;
  }

  #init(request: DecodedRequest, reply: WireReply): Answer {
    const offer = offerOf(request);
    // The kernel says INIT once; whoever says it again is not the kernel this was agreed with.
    if (this.#agreement !== undefined) return -EIO;
    const outcome = negotiate(offer);
    if (outcome.kind === "too old") {
      this.warn(`the kernel speaks FUSE ${String(offer.major)}.${String(offer.minor)}, which is too old`);
      return -EPROTO;
    }
    if (outcome.kind === "ask again") return putAgreement(reply, undefined, 0);
    try {
      this.#options.agreed?.(outcome.agreement);
    } catch (error) {
      this.#warnOf("INIT", error);
      return -EIO;
    }
    this.#agreement = outcome.agreement;
    return putAgreement(reply, outcome.agreement, offer.maxReadahead);
  }

  #forgetAll(request: DecodedRequest): void {
    const count = request.word(request.body >>> 2);
    const first = (request.body + 8) >>> 2;
    for (let index = 0; index < count; index++) {
      const w = first + (index * FORGET_ONE_SIZE) / 4;
      this.#forget(request.long(w), request.long(w + 2));
    }
  }

  #forget(node: number, count: number): void {
    if (node < 0) return;
    try {
      this.#options.fileSystem.forget(this, node, count < 0 ? Number.MAX_SAFE_INTEGER : count);
    } catch (error) {
      this.#warnOf("FORGET", error);
    }
  }

  #refuse(operation: Operation | undefined, refusal: number): Answer {
    if (refusal === -EINVAL) this.warn(`a malformed ${operation?.name ?? "request of an unknown opcode"}`);
    return operation?.reply === "unanswered" ? SILENT : refusal;
  }

  #sendLater(unique: number, uniqueLow: number, uniqueHigh: number, answer: Buffer | number): boolean {
    if (this.#hasEnded) return false;
    let sent = answer;
    if (typeof sent === "number" ? sent !== 0 && !isErrno(sent) : sent.length > PAYLOAD_ROOM) {
      this.warn("a later answer is none");
      sent = -EIO;
    }
    this.#options.trace?.(printLater(unique, typeof sent === "number" ? sent : sent.length));
    const errno = this.#write(encode(uniqueLow, uniqueHigh, sent));
    if (errno === 0) return true;
    if (errno !== ENOENT) this.refused(errno, uniqueLow, uniqueHigh);
    return false;
  }

  /** 0, or the errno. */
  #write(bytes: Buffer): number {
    return -Math.min(0, fuseWrite(this.fd, bytes, 0, bytes.length));
  }

  #warnOf(what: string, error: unknown): void {
    this.warn(`${what} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
}

interface Outlet {
  readonly interrupted: (() => void) | undefined;
  readonly send: (answer: Buffer | number) => boolean;
}

class PromisedAnswer implements Later {
  readonly connection: Session;
  readonly unique: number;
  #outlet: Outlet | undefined;
  #isInterrupted = false;

  constructor(connection: Session, unique: number, outlet: Outlet) {
    this.connection = connection;
    this.unique = unique;
    this.#outlet = outlet;
  }

  finish(answer: Buffer | number): boolean {
    const outlet = this.#outlet;
    this.#outlet = undefined;
    return outlet?.send(answer) ?? false;
  }

  interrupt(): void {
    if (this.#isInterrupted) return;
    this.#isInterrupted = true;
    this.#outlet?.interrupted?.();
  }

  /** Its request was answered otherwise. */
  withdraw(): void {
    this.#outlet = undefined;
  }
}

function isErrno(answer: number): boolean {
  return Number.isInteger(answer) && answer < 0 && answer > -ERRNO_END;
}

function layoutRefusal(operation: Operation | undefined, request: DecodedRequest): number {
  if (operation === undefined) return 0;
  return request.end - request.body < operation.least ? -EINVAL : operation.layout(request);
}

function encode(uniqueLow: number, uniqueHigh: number, answer: Buffer | number): Buffer {
  const length = typeof answer === "number" ? 0 : answer.length;
  const bytes = Buffer.allocUnsafe(OUT_HEADER_SIZE + length);
  bytes.writeUInt32LE(bytes.length, 0);
  bytes.writeInt32LE(typeof answer === "number" ? answer : 0, 4);
  bytes.writeUInt32LE(uniqueLow, 8);
  bytes.writeUInt32LE(uniqueHigh, 12);
  if (typeof answer !== "number") answer.copy(bytes, OUT_HEADER_SIZE);
  return bytes;
}
