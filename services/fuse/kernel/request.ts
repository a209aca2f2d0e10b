import os from "node:os";
import type { Arena } from "./arena.ts";
import type { Connection } from "./connection.ts";
import { IN_HEADER_SIZE, UNIQUE_RESEND_HIGH } from "./constants.ts";
import type { Later, Request } from "./filesystem.ts";

const { EINVAL, ENAMETOOLONG } = os.constants.errno;
const TWO_TO_32 = 4_294_967_296;
/** The upper half of the first number that is not exact any more. */
const INEXACT_HIGH = 1 << 21;
const NO_ID = 0xffff_ffff;
const SLASH = 0x2f;
const DOT = 0x2e;

/** Whose requests these are, and who keeps what is answered later. */
export interface Requester extends Connection {
  later(request: DecodedRequest, onInterrupt: (() => void) | undefined): Later;
}

/**
 * The one request of a thread, filled anew for each. `header` comes first; then the opcode's layout (`layout.ts`) fills
 * the fields that the opcode has, reading nothing beyond `end`.
 */
export class DecodedRequest implements Request {
  readonly bytes: Buffer;
  readonly words: Uint32Array;
  /** Set by `header` before anything else is read. */
  connection!: Requester;
  /** The first byte after the header, and the first after the request. */
  body = 0;
  end = 0;
  opcode = 0;
  unique = 0;
  uniqueLow = 0;
  uniqueHigh = 0;
  isResent = false;
  node = 0;
  uid = 0;
  gid = 0;
  pid = 0;
  name = 0;
  nameLength = 0;
  newName = 0;
  newNameLength = 0;
  otherNode = 0;
  flags = 0;
  mode = 0;
  rdev = 0;
  handle = 0;
  offset = 0;
  offsetLow = 0;
  offsetHigh = 0;
  size = 0;
  data = 0;
  isCached = false;
  whence = 0;
  valid = 0;
  newUid = 0;
  newGid = 0;
  atimeSeconds = 0;
  atimeNanos = 0;
  mtimeSeconds = 0;
  mtimeNanos = 0;
  clearsSetid = false;
  /** What `later` gave for this request. */
  promised: Later | undefined = undefined;

  constructor(arena: Arena) {
    this.bytes = arena.bytes;
    this.words = arena.words;
  }

  later(onInterrupt?: () => void): Later {
    if (this.promised !== undefined) throw new Error("request: it is answered later already");
    this.promised = this.connection.later(this, onInterrupt);
    return this.promised;
  }

  /**
   * struct fuse_in_header at `at`, of which at least 40 bytes are there and whose length the caller has judged. Answers 0,
   * or -EINVAL for a caller or a node that no kernel sends; `unique` is known either way.
   */
  header(connection: Requester, at: number): number {
    this.connection = connection;
    this.promised = undefined;
    const w = at >>> 2;
    this.body = at + IN_HEADER_SIZE;
    this.end = at + this.word(w);
    this.opcode = this.word(w + 1);
    this.uniqueLow = this.word(w + 2);
    this.uniqueHigh = this.word(w + 3);
    this.isResent = this.uniqueHigh >= UNIQUE_RESEND_HIGH;
    this.unique = (this.uniqueHigh & ~UNIQUE_RESEND_HIGH) * TWO_TO_32 + this.uniqueLow;
    this.node = this.long(w + 4);
    this.uid = this.word(w + 6);
    this.gid = this.word(w + 7);
    this.pid = this.word(w + 8);
    return this.node < 0 || this.uid === NO_ID || this.gid === NO_ID ? -EINVAL : 0;
  }

  word(index: number): number {
    return this.words[index] as number;
  }

  /** The 64-bit number at a word; -1 when it is 2^53 or more, or negative. */
  long(index: number): number {
    const high = this.word(index + 1);
    return high < INEXACT_HIGH ? high * TWO_TO_32 + this.word(index) : -1;
  }

  /** The same, signed, and inexact when it is large. */
  signedLong(index: number): number {
    return (this.word(index + 1) | 0) * TWO_TO_32 + this.word(index);
  }

  /**
   * The length of the text that begins at `at` and ends, with a NUL, before `end`; -EINVAL when it is empty or does not
   * end, -ENAMETOOLONG when it has more than `most` bytes.
   */
  textLength(at: number, most: number): number {
    const { bytes, end } = this;
    const last = at + most;
    for (let i = at; i < end; i++) {
      if (bytes[i] === 0) return i === at ? -EINVAL : i - at;
      if (i === last) return -ENAMETOOLONG;
    }
    return -EINVAL;
  }

  /** As `textLength`, of one component of a path: without a slash, neither "." nor "..", else -EINVAL. */
  componentLength(at: number, most: number): number {
    const { bytes } = this;
    const length = this.textLength(at, most);
    if (length > 0) {
      for (let i = at; i < at + length; i++) if (bytes[i] === SLASH) return -EINVAL;
      if (bytes[at] === DOT && (length === 1 || (length === 2 && bytes[at + 1] === DOT))) return -EINVAL;
    }
    return length;
  }
}
