import { setTimeout as delay } from "node:timers/promises";
import { isSyscallError, monotonicMillis, sendDescriptor, type Deadline, type Fd } from "../../native/index.ts";
import { DatagramError, Datagrams, type DatagramOutcome } from "./datagram.ts";
import type { Log } from "./journal.ts";
import { StartError } from "./start-error.ts";
import { visibleText } from "./visible-text.ts";

/** How long systemd may leave its queue full before a message is given up. */
const PATIENCE_MILLIS = 5000;
const RETRY_MILLIS = 10;
/** Bytes of the longest STATUS= text; systemd takes datagrams of at most one page. */
const MAX_STATUS = 1024;
/** Milliseconds; Node takes a longer interval for 1. */
const MAX_INTERVAL = 2_147_483_647;

/**
 * Tells systemd how this service is: sd_notify(3). Messages go out in the order they were given. Without NOTIFY_SOCKET
 * there is nobody to tell: it says so once in the log, and every message is dropped.
 *
 * The variables are removed from the environment, so that no child speaks for this service.
 */
export class Notifier implements Disposable {
  readonly #log: Log;
  readonly #path: string | undefined;
  readonly #watchdogMillis: number | undefined;
  #datagrams: Datagrams | undefined;
  #watchdog: NodeJS.Timeout | undefined;
  /** Ends when all that was given before it has gone or was given up. */
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  /** The last message did not go, which was said once. */
  #isDeaf = false;

  /** Throws StartError when NOTIFY_SOCKET or WATCHDOG_USEC cannot be used. */
  constructor(log: Log, environment: NodeJS.ProcessEnv = process.env) {
    this.#log = log;
    this.#path = notifySocket(environment["NOTIFY_SOCKET"]);
    this.#watchdogMillis = watchdogMillis(environment);
    for (const name of ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]) Reflect.deleteProperty(environment, name);
    if (this.#path === undefined) {
      log.info("not started by systemd: readiness, status, watchdog and stored descriptors are told to nobody");
      return;
    }
    try {
      this.#datagrams = new Datagrams(this.#path);
    } catch (error) {
      if (!(error instanceof DatagramError)) throw error;
      throw new StartError(`systemd cannot be told anything (${error.message}): the unit hides its NOTIFY_SOCKET`);
    }
  }

  /** READY=1, and from now on the watchdog is kept. */
  ready(): void {
    void this.#give("READY=1");
    if (this.#watchdogMillis === undefined || this.#watchdog !== undefined) return;
    this.#watchdog = setInterval(() => {
      // What still waits for room says that this service lives as well as one more would.
      if (this.#waiting === 0) void this.#give("WATCHDOG=1");
    }, this.#watchdogMillis);
    this.#watchdog.unref();
  }

  /** One line for `systemctl status`; control characters are made visible, and it is cut at 1024 bytes. */
  status(text: string): void {
    void this.#give(`STATUS=${Buffer.from(visibleText(text)).subarray(0, MAX_STATUS).toString()}`);
  }

  stopping(): void {
    void this.#give("STOPPING=1");
  }

  /**
   * FDSTORE=1: systemd keeps a duplicate until it is removed, whatever happens to this process, and passes it to the next
   * one. Answers whether it was handed over; systemd drops it silently above FileDescriptorStoreMax=. FDPOLL=0: it is kept
   * even when it is in error or hung up. The descriptor stays the caller's and must stay open until this answers.
   */
  storeDescriptor(name: string, fd: Fd): Promise<boolean> {
    return this.#give(`FDSTORE=1\nFDNAME=${descriptorName(name)}\nFDPOLL=0`, fd);
  }

  /** FDSTOREREMOVE=1: systemd closes all it keeps under that name. */
  removeDescriptor(name: string): Promise<boolean> {
    return this.#give(`FDSTOREREMOVE=1\nFDNAME=${descriptorName(name)}`);
  }

  /** What still waits for room in systemd's queue is given up. */
  [Symbol.dispose](): void {
    clearInterval(this.#watchdog);
    this.#datagrams?.[Symbol.dispose]();
    this.#datagrams = undefined;
  }

  /** At once when nothing waits before it; answers whether it was sent. */
  #give(message: string, descriptor?: Fd): Promise<boolean> {
    if (this.#datagrams === undefined) return Promise.resolve(false);
    const bytes = Buffer.from(message);
    if (this.#waiting === 0) {
      const outcome = this.#send(bytes, descriptor);
      if (outcome !== "full") return Promise.resolve(this.#hasGone(outcome));
    }
    this.#waiting++;
    const giveUpAt = monotonicMillis() + PATIENCE_MILLIS;
    const gone = this.#last.then(() => this.#retry(bytes, descriptor, giveUpAt));
    this.#last = gone;
    return gone;
  }

  async #retry(bytes: Buffer, descriptor: Fd | undefined, giveUpAt: Deadline): Promise<boolean> {
    let outcome = this.#send(bytes, descriptor);
    while (outcome === "full" && monotonicMillis() < giveUpAt) {
      await delay(RETRY_MILLIS);
      outcome = this.#send(bytes, descriptor);
    }
    this.#waiting--;
    return this.#hasGone(outcome);
  }

  #hasGone(outcome: DatagramOutcome | "disposed"): boolean {
    if (outcome === "disposed") return false;
    const isDeaf = outcome !== "sent";
    if (isDeaf && !this.#isDeaf) this.#log.error({ outcome }, "systemd cannot be told how this service is");
    this.#isDeaf = isDeaf;
    return !isDeaf;
  }

  #send(bytes: Buffer, descriptor: Fd | undefined): DatagramOutcome | "disposed" {
    if (this.#datagrams === undefined) return "disposed";
    return descriptor === undefined
      ? this.#datagrams.send(bytes)
      : sendWithDescriptor(this.#datagrams.fd, bytes, descriptor);
  }
}

function sendWithDescriptor(socket: Fd, bytes: Buffer, descriptor: Fd): DatagramOutcome {
  try {
    return sendDescriptor(socket, bytes, descriptor) === undefined ? "full" : "sent";
  } catch (error) {
    if (isSyscallError(error, "ECONNREFUSED", "ECONNRESET", "ENOTCONN", "EPIPE")) return "gone";
    // Too many descriptors of this uid are in flight (unix(7)): the receiver has to take some first.
    if (isSyscallError(error, "ETOOMANYREFS", "ENOBUFS")) return "full";
    throw error;
  }
}

function notifySocket(path: string | undefined): string | undefined {
  if (path === undefined || path === "") return undefined;
  if (path.startsWith("/")) return path;
  throw new StartError(
    `NOTIFY_SOCKET is "${visibleText(path)}": only a path is spoken to, which is what systemd gives to its services`,
  );
}

/** Half of what systemd allows, or undefined when it does not watch this process: sd_watchdog_enabled(3). */
function watchdogMillis(environment: NodeJS.ProcessEnv): number | undefined {
  const micros = environment["WATCHDOG_USEC"];
  const pid = environment["WATCHDOG_PID"];
  if (micros === undefined || (pid !== undefined && pid !== String(process.pid))) return undefined;
  if (!/^[1-9][0-9]{0,15}$/u.test(micros)) {
    throw new StartError(`WATCHDOG_USEC is "${visibleText(micros)}": a number of microseconds is right`);
  }
  return Math.min(Math.max(1, Math.floor(Number(micros) / 2000)), MAX_INTERVAL);
}

/** FDNAME=: ASCII without control characters and colons, 1 to 255 of them. */
function descriptorName(name: string): string {
  if (!/^[ -9;-~]{1,255}$/u.test(name)) throw new RangeError(`no descriptor's name: ${JSON.stringify(name)}`);
  return name;
}
