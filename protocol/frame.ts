import { monotonicMillis, type Deadline } from "../native/index.ts";
import type { Connection, WriteOutcome } from "./connection.ts";
import { Fault } from "./fault.ts";
import type { JsonObject } from "./strict-json.ts";

/** A frame is an unsigned 32-bit big-endian length and that many bytes of payload: see spec/framing.md. */
export interface FrameLimits {
  /** Bytes of the largest payload; the smallest has 1. */
  readonly maxPayload: number;
  /** How long a frame may take from its first byte to its last. */
  readonly frameMillis: number;
  /** How deep containers may nest in the payload, the object itself being 1. */
  readonly maxDepth: number;
}

const HEADER_BYTES = 4;

/**
 * Reads exactly one frame and answers its payload, or "end" when the peer ends the stream (or this end is disposed)
 * before a first byte. Throws Fault "deadline" when no first byte came by `firstByteBy`, or the frame was not whole
 * `frameMillis` after it; "frame limit" before anything is allocated for it; "partial" when the stream ends inside it.
 */
export async function readFrame(
  connection: Connection,
  limits: FrameLimits,
  firstByteBy: Deadline,
): Promise<Uint8Array | "end"> {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  const first = await connection.readSome(header, 0, firstByteBy);
  if (first === 0 || first === "closed") return "end";
  if (first === "timeout") throw new Fault("deadline", "no frame began in time");

  const wholeBy = monotonicMillis() + limits.frameMillis;
  await readRest(connection, header, first, wholeBy, limits);
  const length = header.readUInt32BE();
  if (length === 0 || length > limits.maxPayload) {
    throw new Fault("frame limit", `a frame of ${String(length)} bytes; 1 to ${String(limits.maxPayload)} are allowed`);
  }
  const payload = Buffer.allocUnsafe(length);
  await readRest(connection, payload, 0, wholeBy, limits);
  return payload;
}

async function readRest(
  connection: Connection,
  bytes: Uint8Array,
  offset: number,
  wholeBy: Deadline,
  limits: FrameLimits,
): Promise<void> {
  const outcome = await connection.readExact(bytes, offset, wholeBy);
  if (outcome === "full") return;
  if (outcome === "timeout") {
    throw new Fault("deadline", `a frame took longer than ${String(limits.frameMillis)} ms`);
  }
  throw new Fault("partial", "the stream ended inside a frame");
}

/** Throws RangeError when the message does not fit: whoever builds messages keeps them within the limit. */
export function encodeFrame(message: JsonObject, limits: FrameLimits): Uint8Array {
  const text = JSON.stringify(message);
  const length = Buffer.byteLength(text);
  if (length > limits.maxPayload) {
    throw new RangeError(`a message of ${String(length)} bytes; ${String(limits.maxPayload)} are allowed`);
  }
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length);
  frame.writeUInt32BE(length);
  frame.write(text, HEADER_BYTES);
  return frame;
}

/** Writes one whole frame; a peer that does not take it within `frameMillis` is a "timeout". */
export function writeFrame(connection: Connection, message: JsonObject, limits: FrameLimits): Promise<WriteOutcome> {
  return connection.writeExact(encodeFrame(message, limits), monotonicMillis() + limits.frameMillis);
}
