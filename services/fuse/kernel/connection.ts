import type { Fd } from "../../../native/index.ts";

/** One mount: an open `/dev/fuse` and what was agreed on it. */
export interface Connection {
  /** Of this server's own counter, at least 1; it survives a restart. */
  readonly id: number;
  readonly fd: Fd;
  /** What INIT agreed on; undefined until it came. */
  readonly agreement: Agreement | undefined;
  /**
   * Says that something another connection did changed what this one's kernel may remember. Queued, coalesced by node, and
   * sent by another thread; nobody waits. With a name: that entry of the directory `node` too.
   */
  invalidate(node: number, name?: Buffer): void;
  /** The queue overflowed: nodes are served with zero timeouts and without caches until it is empty again. */
  readonly isUncached: boolean;
}

/** What both sides agreed on at INIT; it must be kept, since a connection has only one. */
export interface Agreement {
  readonly minor: number;
  readonly flags: number;
  readonly flags2: number;
}
