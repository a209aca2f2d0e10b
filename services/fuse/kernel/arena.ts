import { FUSE_REQUEST_ROOM } from "../../../native/index.ts";
import { MAX_WRITE, OUT_HEADER_SIZE } from "./constants.ts";

/** Where the reply begins. It comes first, so that a view that ends with one half of the requests holds both. */
export const REPLY_AT = 0;
/** The most a reply's payload takes. */
export const PAYLOAD_ROOM = MAX_WRITE + 4096;
const REQUESTS_AT = MAX_WRITE + 8192;
const HALF = 2 << 20;

/**
 * The memory a thread serves all its connections in: one reply, and two halves for requests. The next requests are read
 * into one half while the last of the other is still being looked at.
 *
 * Everything is in the machine's byte order; `words` is the same memory as `bytes`.
 */
export class Arena {
  readonly bytes: Buffer;
  readonly words: Uint32Array;
  readonly #views: readonly [Buffer, Buffer];

  constructor() {
    const memory = new ArrayBuffer(REQUESTS_AT + 2 * HALF);
    this.bytes = Buffer.from(memory);
    this.words = new Uint32Array(memory);
    this.#views = [this.bytes.subarray(0, halfEnd(0)), this.bytes];
  }

  /** The reply, and the requests up to the end of a half: a read into it cannot reach the other half. */
  view(half: 0 | 1): Buffer {
    return this.#views[half];
  }
}

export function halfStart(half: 0 | 1): number {
  return REQUESTS_AT + half * HALF;
}

export function halfEnd(half: 0 | 1): number {
  return halfStart(half) + HALF;
}

/** Whether another request may be read at `at`. */
export function hasRoom(half: 0 | 1, at: number): boolean {
  return halfEnd(half) - at >= FUSE_REQUEST_ROOM;
}

if (REPLY_AT + OUT_HEADER_SIZE + PAYLOAD_ROOM > REQUESTS_AT) throw new Error("arena: a reply would reach the requests");
