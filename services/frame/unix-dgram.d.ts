/** The part of the unix-dgram package that datagram.ts uses, as its 2.0.7 behaves. */
declare module "unix-dgram" {
  import type { EventEmitter } from "node:events";

  /** `code` is 1 when the peer's queue is full, else the negated errno. */
  interface SendError extends Error {
    readonly code: number;
  }

  /** Bound to the event loop of the main thread, which it keeps alive until it is closed. */
  interface Socket extends EventEmitter<{ error: [SendError]; connect: []; writable: [] }> {
    /** Close-on-exec and non-blocking; -1 once closed. */
    readonly fd: number;
    /** connect(2) before it returns; a failure is an "error" event before it returns. No abstract names. */
    connect(path: string): void;
    /** send(2) of a connected socket and the callback, both before it returns. */
    send(bytes: Uint8Array, callback: (error?: SendError) => void): void;
    close(): void;
  }

  export function createSocket(type: "unix_dgram"): Socket;
}
