import { fstatSync, writeSync } from "node:fs";
import { pino, type DestinationStream, type Logger } from "pino";
import type { JsonObject } from "../../protocol/strict-json.ts";
import { DatagramError, Datagrams, type DatagramOutcome } from "./datagram.ts";
import { encodeJournalEntry, type JournalEntry } from "./journal-entry.ts";
import { withoutSecrets } from "./redaction.ts";
import { StartError } from "./start-error.ts";
import { visibleText } from "./visible-text.ts";

/** `log.info({ uid, agentUnit }, "a sentence")`. Field names are ours; what a peer said goes into their values. */
export type Log = Logger;

export interface LogOptions {
  /** SYSLOG_IDENTIFIER. */
  readonly name: string;
  readonly journalSocket?: string;
  readonly environment?: NodeJS.ProcessEnv;
}

const JOURNAL_SOCKET = "/run/systemd/journal/socket";
const STDERR = 2;
/** pino's levels as syslog(3) priorities. */
const PRIORITIES = { fatal: 2, error: 3, warn: 4, info: 6, debug: 7, trace: 7 } as const;

/**
 * Opens the log of a service: the journal when systemd connected stderr to it (JOURNAL_STREAM of systemd.exec(5)), else
 * JSON lines on stderr. Both are without secrets (see `withoutSecrets`) and one entry a line, whatever a peer said.
 *
 * Writing to the journal never waits and never throws. What the journal did not take is counted, and the next entry that
 * it takes is preceded by one that says how many are missing. Throws StartError when there is no journal to reach in the
 * beginning. Main thread only.
 */
export function openLog(options: LogOptions): { readonly log: Log } & Disposable {
  const { name, journalSocket = JOURNAL_SOCKET, environment = process.env } = options;
  const sink = isJournal(STDERR, environment["JOURNAL_STREAM"]) ? new JournalSink(journalSocket) : new StderrSink();
  // The fields of an entry stand apart from pino's own, so that none can be taken for them.
  const log = pino({ base: null, nestedKey: "fields" }, new Destination(name, sink));
  return {
    log,
    [Symbol.dispose]: () => {
      log.level = "silent";
      sink[Symbol.dispose]();
    },
  };
}

/** `stream`: device and inode number of what systemd connected; a child may inherit the variable and not the stream. */
function isJournal(fd: number, stream: string | undefined): boolean {
  if (stream === undefined) return false;
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return stream === `${String(dev)}:${String(ino)}`;
}

/** What pino writes with the options of `openLog`; beside these four are the fields of child loggers. */
interface PinoLine {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly fields?: JsonObject;
}

interface TimedEntry extends JournalEntry {
  readonly level: keyof typeof PRIORITIES;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

interface Sink extends Disposable {
  /** Whether the entry went out. */
  write(entry: TimedEntry): boolean;
}

/** Takes pino's lines apart again: only then are an entry's own fields and those of its child logger one object. */
class Destination implements DestinationStream {
  readonly #name: string;
  readonly #sink: Sink;
  #lost = 0;

  constructor(name: string, sink: Sink) {
    this.#name = name;
    this.#sink = sink;
  }

  write(line: string): void {
    const { level, time, msg = "(no message)", fields, ...bindings } = JSON.parse(line) as PinoLine;
    const label = pino.levels.labels[level] as TimedEntry["level"];
    this.#deliver(this.#entry(label, time, msg, withoutSecrets({ ...bindings, ...fields }) as JsonObject));
  }

  #deliver(entry: TimedEntry): void {
    if (this.#lost > 0) {
      const sentence = `${String(this.#lost)} log entries before this one are missing: the journal did not take them`;
      if (this.#sink.write(this.#entry("warn", entry.time, sentence, { lost: this.#lost }))) this.#lost = 0;
    }
    if (this.#lost > 0 || !this.#sink.write(entry)) this.#lost++;
  }

  #entry(level: TimedEntry["level"], time: number, message: string, fields: JsonObject): TimedEntry {
    return { level, time, message, priority: PRIORITIES[level], identifier: this.#name, fields };
  }
}

class JournalSink implements Sink {
  readonly #path: string;
  #datagrams: Datagrams | undefined;

  constructor(path: string) {
    this.#path = path;
    try {
      this.#datagrams = new Datagrams(path);
    } catch (error) {
      if (!(error instanceof DatagramError)) throw error;
      throw new StartError(`the journal cannot be reached (${error.message}): the unit hides its socket`);
    }
  }

  write(entry: TimedEntry): boolean {
    const bytes = encodeJournalEntry(entry);
    const outcome = this.#send(bytes);
    // A journal that was started anew has another socket under the same path.
    return (outcome === "gone" ? this.#send(bytes) : outcome) === "sent";
  }

  #send(bytes: Buffer): DatagramOutcome {
    try {
      this.#datagrams ??= new Datagrams(this.#path);
      const outcome = this.#datagrams.send(bytes);
      if (outcome === "gone") this[Symbol.dispose]();
      return outcome;
    } catch (error) {
      // There is nobody to tell that there is nobody to tell: the entry counts as missing.
      if (error instanceof DatagramError) return "gone";
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#datagrams?.[Symbol.dispose]();
    this.#datagrams = undefined;
  }
}

/** For a person or a program that started the service by hand: it may wait for a reader who does not read. */
class StderrSink implements Sink {
  /** The last line could not be written whole. */
  #torn = false;

  write({ level, time, identifier, message, fields }: TimedEntry): boolean {
    const own = { level, time, name: identifier, msg: message };
    const json = visibleText(JSON.stringify({ ...own, ...fields, ...own }));
    const line = Buffer.from(`${this.#torn ? "\n" : ""}${json}\n`);
    try {
      const count = writeSync(STDERR, line);
      this.#torn = count < line.length;
      return !this.#torn;
    } catch {
      // EAGAIN, EPIPE: nobody reads. The entry counts as missing.
      return false;
    }
  }

  [Symbol.dispose](): void {
    // stderr is not this log's to close.
  }
}
