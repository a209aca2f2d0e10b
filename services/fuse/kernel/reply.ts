import os from "node:os";
import { type Arena, PAYLOAD_ROOM, REPLY_AT } from "./arena.ts";
import {
  ATTR_OUT_SIZE,
  ATTR_SIZE,
  ENTRY_OUT_SIZE,
  GETXATTR_OUT_SIZE,
  LSEEK_OUT_SIZE,
  OPEN_OUT_SIZE,
  OUT_HEADER_SIZE,
  WRITE_OUT_SIZE,
} from "./constants.ts";
import type { Answer, Reply } from "./filesystem.ts";

const { E2BIG } = os.constants.errno;
const TWO_TO_32 = 4_294_967_296;
const HEADER = REPLY_AT >>> 2;
const PAYLOAD = (REPLY_AT + OUT_HEADER_SIZE) >>> 2;
/** The kernel refuses a reply whose error is not below this, and then whoever asked would wait for ever. */
export const ERRNO_END = 512;

/** The one reply of a thread. Structures are those of <linux/fuse.h>. */
export class WireReply implements Reply {
  readonly bytes: Buffer;
  readonly payload = REPLY_AT + OUT_HEADER_SIZE;
  readonly entryAttributes = this.payload + ENTRY_OUT_SIZE - ATTR_SIZE;
  readonly attributesAt = this.payload + ATTR_OUT_SIZE - ATTR_SIZE;
  readonly #words: Uint32Array;

  constructor(arena: Arena) {
    this.bytes = arena.bytes;
    this.#words = arena.words;
  }

  entry(node: number, entrySeconds: number, attributeSeconds: number): Answer {
    const words = this.#words;
    this.#long(PAYLOAD, node);
    this.#long(PAYLOAD + 2, 0); // generation: an id is never given to another node
    this.#long(PAYLOAD + 4, entrySeconds);
    this.#long(PAYLOAD + 6, attributeSeconds);
    words[PAYLOAD + 8] = 0;
    words[PAYLOAD + 9] = 0;
    return ENTRY_OUT_SIZE;
  }

  attributes(attributeSeconds: number): Answer {
    this.#long(PAYLOAD, attributeSeconds);
    this.#long(PAYLOAD + 2, 0);
    return ATTR_OUT_SIZE;
  }

  opened(handle: number, openFlags: number, backing: number): Answer {
    this.#open(PAYLOAD, handle, openFlags, backing);
    return OPEN_OUT_SIZE;
  }

  created(
    node: number,
    entrySeconds: number,
    attributeSeconds: number,
    handle: number,
    openFlags: number,
    backing: number,
  ): Answer {
    this.entry(node, entrySeconds, attributeSeconds);
    this.#open(PAYLOAD + ENTRY_OUT_SIZE / 4, handle, openFlags, backing);
    return ENTRY_OUT_SIZE + OPEN_OUT_SIZE;
  }

  written(length: number): Answer {
    this.#long(PAYLOAD, length);
    return WRITE_OUT_SIZE;
  }

  xattrLength(length: number): Answer {
    this.#long(PAYLOAD, length);
    return GETXATTR_OUT_SIZE;
  }

  position(offset: number): Answer {
    this.#long(PAYLOAD, offset);
    return LSEEK_OUT_SIZE;
  }

  copy(bytes: Uint8Array): Answer {
    if (bytes.length > PAYLOAD_ROOM) return -E2BIG;
    this.bytes.set(bytes, this.payload);
    return bytes.length;
  }

  /** INIT's, word by word: the caller knows its structure. */
  putWord(index: number, value: number): void {
    this.#words[PAYLOAD + index] = value;
  }

  /**
   * The header around a payload of that length, or around none and the negated errno, which the caller has judged. Answers
   * the length of the whole.
   */
  finish(uniqueLow: number, uniqueHigh: number, answer: Answer): number {
    const words = this.#words;
    const length = OUT_HEADER_SIZE + Math.max(0, answer);
    words[HEADER] = length;
    words[HEADER + 1] = Math.min(0, answer);
    words[HEADER + 2] = uniqueLow;
    words[HEADER + 3] = uniqueHigh;
    return length;
  }

  #open(at: number, handle: number, openFlags: number, backing: number): void {
    this.#long(at, handle);
    this.#words[at + 2] = openFlags;
    this.#words[at + 3] = backing;
  }

  /** A whole number from 0 to 2^53 - 1. */
  #long(at: number, value: number): void {
    this.#words[at] = value;
    this.#words[at + 1] = value / TWO_TO_32;
  }
}
